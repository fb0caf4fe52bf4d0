/** What a user may do; each role may do all that stands before it. */
export const roles = ['viewer', 'operator', 'admin'] as const

export type Role = (typeof roles)[number]

/** Whose keys, exchanges and budgets somebody may see: those of these projects, or all. */
export type Scope = readonly string[] | 'all'

/** Who asks for something, as everything behind the door knows it. */
export interface Actor {
  readonly userId: string
  readonly name: string
  readonly role: Role
  readonly projects: Scope
  readonly sessionId: string
}

/** Whether a role may do what this one may. */
export function mayActAs(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least)
}

/** The projects of a scope that has some, for a list in a query, which must not be empty. */
export function projectsIn(scope: Scope): string[] {
  return scope === 'all' ? [] : [...scope, '']
}

/** Whether what belongs to a project is there for somebody. */
export function sees(scope: Scope, projectId: string): boolean {
  return scope === 'all' || scope.includes(projectId)
}
