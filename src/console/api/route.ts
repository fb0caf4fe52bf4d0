import type { z } from 'zod'

import type { Deed } from '#console/access/audit.ts'
import type { Actor, Role } from '#console/access/role.ts'
import type { NewSession } from '#console/access/sessions.ts'
import type { Visitor } from '#console/access/visitor.ts'

import type { AdminParts, ScopedData } from './parts.ts'

/** Whose data a route touches: nobody's, that of the projects the actor sees, or that of all projects at once. */
export type TenantRule = 'none' | 'projects' | 'whole'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * How a route is written down: not, since it changes nothing; in the transaction of what it changes; before it does
 * what no database undoes; or by itself, where some of it must not wait in a transaction.
 */
export type Manner = 'reads' | 'changes' | 'does' | 'records'

/** What an answer is: one value, a stream of events, or text in lines. */
export type AnswerForm = 'json' | 'events' | 'lines'

/** One row of the route table, as the listener reads it. */
export interface Route {
  readonly method: Method
  readonly path: string
  /** The least role that may ask; `anyone` needs no session. */
  readonly role: Role | 'anyone'
  readonly tenant: TenantRule
  readonly summary: string
  readonly body: z.ZodType | undefined
  readonly query: z.ZodType | undefined
  readonly answer: z.ZodType
  readonly form: AnswerForm
  readonly status: number
  readonly manner: Manner
  /** What it is called in the audit log; empty for what only reads. */
  readonly action: string
  /** Whether the body has to hold the actor's own password. */
  readonly reauthenticates: boolean
  /** The largest body that is read. */
  readonly bodyBytes: number
  readonly objectOf: (asked: Asked) => Omit<Deed, 'action'>
  readonly handle: (asked: Asked) => Promise<unknown>
}

/**
 * A row with the types of its own schemas: `Route & …` as far as the listener cares. The types of clients are made from
 * it, so that nothing of the API is written down twice.
 */
export type TypedRoute<Types extends RouteTypes> = Omit<Route, keyof RouteTypes> & Types

export type RouteTypes = Pick<
  Route,
  'method' | 'path' | 'query' | 'body' | 'answer' | 'form' | 'reauthenticates'
>

/** What a handler is given: who asks, and what has passed the row's schemas. Nothing of the request itself. */
export interface Asked<Params = Readonly<Record<string, string>>, Query = unknown, Body = unknown> {
  readonly parts: AdminParts
  readonly data: ScopedData
  readonly actor: Actor
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly from: Visitor
  readonly requestId: string
  readonly signal: AbortSignal
  /** Whether the session that asked is still one. */
  readonly isStillIn: () => Promise<boolean>
  /** Gives the browser a session, or takes it away. */
  readonly setSession: (session: NewSession | undefined) => void
  /** For the manner `records`: does the work in a transaction and writes down what it did, by whom. */
  readonly record: <Result>(
    who: { readonly id: string; readonly name: string },
    work: () => Promise<{ readonly result: Result; readonly deed: Deed }>,
  ) => Promise<Result>
}

/** What a change was, beside what it is answered with. */
export interface Changed<Answer> extends Omit<Deed, 'action'> {
  readonly answer: Answer
}

type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [Key in Name]: string } & ParamsOf<Rest>
  : unknown

type OutputOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

interface Row<Path extends string, Query, Body, Answer extends z.ZodType> {
  readonly path: Path
  readonly role: Role | 'anyone'
  readonly tenant: TenantRule
  readonly summary: string
  readonly query?: Query
  readonly body?: Body
  readonly answer: Answer
}

type AskedFor<Path extends string, Query, Body> = Asked<
  ParamsOf<Path>,
  OutputOf<Query>,
  OutputOf<Body>
>

/** A row for a route that changes nothing. */
export function reads<
  const Path extends string,
  Answer extends z.ZodType,
  Query extends z.ZodType | undefined = undefined,
>(
  row: Row<Path, Query, undefined, Answer> & {
    readonly handle: (asked: AskedFor<Path, Query, undefined>) => Promise<Said<Answer>>
  },
): Typed<'GET', Path, Query, undefined, Answer> {
  return routeOf({ ...row, method: 'GET', manner: 'reads', action: '', form: 'json' }, row.handle)
}

/** A row for a route whose answer goes on for as long as somebody listens. The schema is that of each event's data. */
export function streams<
  const Path extends string,
  Answer extends z.ZodType,
  Query extends z.ZodType | undefined = undefined,
>(
  row: Row<Path, Query, undefined, Answer> & {
    readonly handle: (asked: AskedFor<Path, Query, undefined>) => Promise<Events<Answer>>
  },
): Typed<'GET', Path, Query, undefined, Answer, 'events'> {
  return routeOf({ ...row, method: 'GET', manner: 'reads', action: '', form: 'events' }, row.handle)
}

/** Named events with their data. */
export type Events<Answer extends z.ZodType> = AsyncIterable<{
  readonly event: string
  readonly data: Said<Answer>
}>

/** What a handler may answer with: a value of the schema's type, which nobody will change. */
export type Said<Answer extends z.ZodType> = Unchanging<z.input<Answer>>

type Unchanging<Value> = Value extends (infer Item)[]
  ? readonly Unchanging<Item>[]
  : Value extends object
    ? { readonly [Member in keyof Value]: Unchanging<Value[Member]> }
    : Value

/** A row for a route that changes the database: the change and its row in the audit log are one transaction. */
export function changes<
  const Verb extends Exclude<Method, 'GET'>,
  const Path extends string,
  Answer extends z.ZodType,
  Query extends z.ZodType | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  Again extends boolean = false,
>(
  row: Row<Path, Query, Body, Answer> & {
    readonly method: Verb
    readonly action: string
    readonly status?: 201
    readonly reauthenticates?: Again
    readonly handle: (asked: AskedFor<Path, Query, Body>) => Promise<Changed<Said<Answer>>>
  },
): Typed<Verb, Path, Query, Body, Answer, 'json', Again> {
  return routeOf({ ...row, manner: 'changes', form: 'json' }, row.handle)
}

/**
 * A row for a route that does what no transaction can hold: the engine, files, other machines, work in many steps.
 * It is written down before it is done, so that nothing is done that is not written down.
 */
export function does<
  const Verb extends Exclude<Method, 'GET'>,
  const Path extends string,
  Answer extends z.ZodType,
  Body extends z.ZodType | undefined = undefined,
  Form extends keyof Done<Answer> = 'json',
  Again extends boolean = false,
>(
  row: Row<Path, undefined, Body, Answer> & {
    readonly method: Verb
    readonly action: string
    readonly form?: Form
    readonly reauthenticates?: Again
    readonly bodyBytes?: number
    readonly objectOf: (asked: AskedFor<Path, undefined, Body>) => Omit<Deed, 'action'>
    readonly handle: (asked: AskedFor<Path, undefined, Body>) => Promise<Done<Answer>[Form]>
  },
): Typed<Verb, Path, undefined, Body, Answer, Form, Again> {
  return routeOf({ form: 'json', ...row, manner: 'does' }, row.handle, row.objectOf)
}

interface Done<Answer extends z.ZodType> {
  readonly json: Said<Answer>
  readonly events: Events<Answer>
  readonly lines: AsyncIterable<string>
}

/** A row for a route on signing in and out, which writes down by itself what came of it. */
export function records<
  const Verb extends Exclude<Method, 'GET'>,
  const Path extends string,
  Answer extends z.ZodType,
  Body extends z.ZodType | undefined = undefined,
  Again extends boolean = false,
>(
  row: Row<Path, undefined, Body, Answer> & {
    readonly method: Verb
    readonly action: string
    readonly status?: 201
    readonly reauthenticates?: Again
    readonly handle: (asked: AskedFor<Path, undefined, Body>) => Promise<Said<Answer>>
  },
): Typed<Verb, Path, undefined, Body, Answer, 'json', Again> {
  return routeOf({ ...row, manner: 'records', form: 'json' }, row.handle)
}

type Typed<
  Verb extends Method,
  Path extends string,
  Query extends z.ZodType | undefined,
  Body extends z.ZodType | undefined,
  Answer extends z.ZodType,
  Form extends AnswerForm = 'json',
  Again extends boolean = false,
> = TypedRoute<{
  readonly method: Verb
  readonly path: Path
  readonly query: Query
  readonly body: Body
  readonly answer: Answer
  readonly form: Form
  readonly reauthenticates: Again
}>

type Plain = Pick<
  Route,
  'method' | 'path' | 'role' | 'tenant' | 'summary' | 'answer' | 'form' | 'manner' | 'action'
> & {
  readonly query?: z.ZodType | undefined
  readonly body?: z.ZodType | undefined
  readonly status?: number
  readonly reauthenticates?: boolean
  readonly bodyBytes?: number
}

/** More than the body of nearly any route needs. */
const usualBodyBytes = 256 * 1024

/** No route reads a larger one. */
export const largestBodyBytes = 16 * 1024 * 1024

/**
 * The one place where a row's types are put away: the listener gives a handler nothing but what the schemas of its own
 * row have let through.
 */
function routeOf<Known extends Asked<never, never, never>, Whole extends Route>(
  row: Plain,
  handle: (asked: Known) => Promise<unknown>,
  objectOf: (asked: Known) => Omit<Deed, 'action'> = () => ({ object: '' }),
): Whole {
  const route: Route = {
    method: row.method,
    path: row.path,
    role: row.role,
    tenant: row.tenant,
    summary: row.summary,
    answer: row.answer,
    form: row.form,
    manner: row.manner,
    action: row.action,
    query: row.query,
    body: row.body,
    status: row.status ?? 200,
    reauthenticates: row.reauthenticates ?? false,
    bodyBytes: row.bodyBytes ?? usualBodyBytes,
    handle: handle as unknown as Route['handle'],
    objectOf: objectOf as unknown as Route['objectOf'],
  }
  return route as Whole
}
