/** An object with one member, or with none where there is no value: in our own words absent is never undefined. */
export function given<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): { readonly [K in Key]?: Value } {
  // A computed key has no literal type of its own.
  return (value === undefined ? {} : { [key]: value }) as { readonly [K in Key]?: Value }
}
