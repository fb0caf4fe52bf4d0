import type { Role } from '#console/access/role.ts'
import type { Answer, Given } from '#console/web/api/contract.ts'
import type { FieldProblems } from '#console/web/parts/form-problems.ts'

export type User = Answer<'GET /api/users/{id}'>['user']

/** A user as a form holds it. */
export interface UserFields {
  readonly name: string
  readonly role: Role
  readonly isBound: boolean
  readonly projects: readonly string[]
  readonly isDisabled: boolean
  /** The first one, of a new user. */
  readonly password: string
  /** That of whoever fills in the form. */
  readonly yourPassword: string
}

export type Read<Body> =
  | { readonly type: 'body'; readonly body: Body }
  | { readonly type: 'problems'; readonly problems: FieldProblems }

export const newUserFields: UserFields = {
  name: '',
  role: 'viewer',
  isBound: false,
  projects: [],
  isDisabled: false,
  password: '',
  yourPassword: '',
}

export function fieldsOfUser({ name, role, projects, disabledAt }: User): UserFields {
  return {
    ...newUserFields,
    name,
    role,
    isBound: projects !== null,
    projects: projects ?? [],
    isDisabled: disabledAt !== null,
  }
}

/** What the API is asked for to make a user, or all that is wrong with it. */
export function readUserOrder(fields: UserFields): Read<Given<'POST /api/users'>['body']> {
  const problems = {
    ...problemsOf(fields),
    ...(fields.password === '' && { password: 'Give a password to begin with.' }),
  }
  if (Object.keys(problems).length > 0) return { type: 'problems', problems }
  const { name, role, password, yourPassword } = fields
  const projects = scopeOf(fields)
  return { type: 'body', body: { name: name.trim(), role, projects, password, yourPassword } }
}

/** What of a user has to be changed so that it is as these fields say, or all that is wrong with them. */
export function readUserChange(
  user: User,
  fields: UserFields,
): Read<Given<'PATCH /api/users/{id}'>['body']> {
  const problems = problemsOf(fields)
  if (Object.keys(problems).length > 0) return { type: 'problems', problems }
  const { role, isDisabled, yourPassword } = fields
  const name = fields.name.trim()
  const projects = scopeOf(fields)
  return {
    type: 'body',
    body: {
      ...(name !== user.name && { name }),
      ...(role !== user.role && { role }),
      ...(isOtherScope(projects, user.projects) && { projects }),
      ...(isDisabled !== (user.disabledAt !== null) && { isDisabled }),
      yourPassword,
    },
  }
}

/** An administrator sees every project, whatever was chosen before. */
function scopeOf({ role, isBound, projects }: UserFields): string[] | null {
  return role === 'admin' || !isBound ? null : [...projects]
}

function isOtherScope(one: readonly string[] | null, other: readonly string[] | null): boolean {
  return JSON.stringify(one?.toSorted() ?? null) !== JSON.stringify(other?.toSorted() ?? null)
}

function problemsOf({ name, yourPassword }: UserFields): FieldProblems {
  return {
    ...(name.trim() === '' && { name: 'Give a name to sign in with.' }),
    ...(yourPassword === '' && { yourPassword: 'Your own password is asked for once more.' }),
  }
}

/** Whether the API's name of a field is one of this form's. */
export function isUserField(name: string): boolean {
  return name in newUserFields
}
