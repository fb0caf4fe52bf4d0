import type { z } from 'zod'

import type { routes } from '#console/api/route-table.ts'

/*
 * The types of the admin API, made from the schemas of its own route table. Nothing but types comes from there: no code
 * of the gateway is in what browsers are given.
 */

type Rows = typeof routes

type RowOf = {
  [Name in keyof Rows as `${Rows[Name]['method']} ${Rows[Name]['path']}`]: Rows[Name]
}

/** Everything that can be asked for, as `GET /api/keys/{id}`. */
export type Call = keyof RowOf

/** What a call is answered with; for events, the data of each. */
export type Answer<Asked extends Call> = z.output<RowOf[Asked]['answer']>

/** What a call is given: the names in its path, its query, its body. */
export type Given<Asked extends Call> = ParamsPart<RowOf[Asked]['path']> &
  QueryPart<RowOf[Asked]['query']> &
  BodyPart<RowOf[Asked]['body'], RowOf[Asked]['reauthenticates']>

/** The same as the rest of a list of arguments, absent where there is nothing that has to be said. */
export type GivenArguments<Asked extends Call> =
  Record<never, never> extends Given<Asked> ? [given?: Given<Asked>] : [given: Given<Asked>]

type NamesIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never

type ParamsPart<Path> = [NamesIn<Path>] extends [never]
  ? unknown
  : { readonly params: Readonly<Record<NamesIn<Path>, string>> }

type QueryPart<Schema> = Schema extends z.ZodType
  ? { readonly query?: Loosely<z.input<Schema>, z.output<Schema>> }
  : unknown

/** Numbers may be given as what they are, and what is undefined is not sent. */
type Loosely<Input, Output> = {
  readonly [Name in keyof Input & keyof Output]?: Input[Name] | Output[Name] | undefined
}

type BodyPart<Schema, Again> = Schema extends z.ZodType
  ? { readonly body: z.input<Schema> & PasswordPart<Again> }
  : Again extends true
    ? { readonly body: PasswordPart<true> }
    : unknown

type PasswordPart<Again> = Again extends true ? { readonly yourPassword: string } : unknown

export type SignedIn = Answer<'GET /api/me'>
export type Key = Answer<'GET /api/keys/{id}'>['key']
export type Project = Answer<'GET /api/projects/{id}'>['project']
export type Budget = Answer<'GET /api/budgets'>['budgets'][number]
export type Exchange = Answer<'GET /api/exchanges'>['exchanges'][number]
export type Model = Answer<'GET /api/models'>['models'][number]
