import { ConsoleProblem } from '#console/web/api/console-problem.ts'

/** What is wrong, by the name of the field. */
export type FieldProblems = Readonly<Record<string, string>>

/**
 * What a refusal says of one field of a form: `policy.models.2` of the API is the field `models`. Undefined where it
 * names none of these fields.
 */
export function fieldProblem(
  error: unknown,
  isField: (name: string) => boolean,
): FieldProblems | undefined {
  const { param, message } = ConsoleProblem.from(error)
  const path = param?.replace(/^policy\./, '').split('.') ?? []
  for (let length = path.length; length > 0; length--) {
    const name = path.slice(0, length).join('.')
    if (isField(name)) return { [name]: withoutPath(message, param ?? '') }
  }
  return undefined
}

/** The field's label stands above: the message need not begin with its name. */
function withoutPath(message: string, param: string): string {
  const rest = message.startsWith(`${param}: `) ? message.slice(param.length + 2) : message
  return `${rest.charAt(0).toUpperCase()}${rest.slice(1)}`
}
