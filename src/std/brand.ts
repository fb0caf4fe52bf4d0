declare const brand: unique symbol

/** A string that must not be mixed up with other strings. Made by `brandAs`, nowhere else. */
export type Brand<Name extends string> = string & { readonly [brand]: Name }

/** Gives a string its brand: the one cast of this kind in the product. */
export function brandAs<B extends Brand<string>>(value: string): B {
  return value as B
}
