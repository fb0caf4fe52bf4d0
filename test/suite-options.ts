import { parseArgs } from 'node:util'

/** One option of a suite: its value where nobody says otherwise, and what it does. */
export interface SuiteOption {
  readonly usual: string | boolean
  readonly about: string
}

type Values<Options extends Readonly<Record<string, SuiteOption>>> = {
  readonly [Name in keyof Options]: Options[Name]['usual'] extends boolean ? boolean : string
}

/**
 * The options that a suite was started with. `--help` prints what there is, and ends the process; so does an option that there is not.
 */
export function optionsOf<const Options extends Readonly<Record<string, SuiteOption>>>(
  about: string,
  options: Options,
): Values<Options> {
  const help = helpOf(about, options)
  const known = Object.entries(options).map(([name, { usual }]) =>
    typeof usual === 'boolean'
      ? ([name, { type: 'boolean', default: usual }] as const)
      : ([name, { type: 'string', default: usual }] as const),
  )
  try {
    const values: Readonly<Record<string, unknown>> = parseArgs({
      options: { ...Object.fromEntries(known), help: { type: 'boolean', default: false } },
    }).values
    if (values['help'] !== true) return values as Values<Options>
    console.log(help)
    process.exit(0)
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${help}`)
    process.exit(64)
  }
}

function helpOf(about: string, options: Readonly<Record<string, SuiteOption>>): string {
  const rows = Object.entries(options).map(([name, { usual, about: does }]) => {
    const takes = typeof usual === 'boolean' ? `--${name}` : `--${name} <${name}>`
    const otherwise = usual === '' || usual === false ? '' : ` (${String(usual)})`
    return [takes, `${does}${otherwise}`] as const
  })
  const width = Math.max(...rows.map(([takes]) => takes.length))
  const lines = rows.map(([takes, does]) => `  ${takes.padEnd(width)}  ${does}`)
  return [about, '', ...lines].join('\n')
}
