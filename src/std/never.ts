/** Ends a switch over a closed union, so that a new member breaks the build where it must be thought of. */
export function assertNever(value: never): never {
  throw new TypeError(`Not a member of the union: ${JSON.stringify(value)}`)
}
