/** What was typed into the fields of a form, by their names; empty for what is not there. */
export function formTexts<Name extends string>(
  form: HTMLFormElement,
  names: readonly Name[],
): Record<Name, string> {
  const data = new FormData(form)
  const pairs = names.map((name) => [name, textOf(data.get(name))])
  // An object made from these names has these names.
  return Object.fromEntries(pairs) as Record<Name, string>
}

function textOf(value: FormDataEntryValue | null): string {
  return typeof value === 'string' ? value : ''
}
