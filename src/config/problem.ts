/** One thing that is wrong with a config. */
export interface Problem {
  readonly path: readonly (string | number)[]
  /** What is there, as far as it may be shown. */
  readonly found?: string
  /** What should be there. */
  readonly expected: string
}

/** A config that cannot be used, with everything that is wrong with it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly Problem[]

  constructor(source: string, problems: readonly Problem[]) {
    const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`
    super(`${source} has ${count}:\n${problems.map((one) => `  ${describe(one)}`).join('\n')}`)
    this.problems = problems
  }
}

function describe({ path, found, expected }: Problem): string {
  const place = path.length === 0 ? '' : `${written(path)}: `
  return found === undefined ? `${place}${expected}` : `${place}found ${found}, ${expected}`
}

/** A path as one would write it: `models.fast.targets[0]`. */
function written(path: Problem['path']): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`
      const isPlain = /^[\w-]+$/.test(step)
      return isPlain ? `${index === 0 ? '' : '.'}${step}` : `["${step}"]`
    })
    .join('')
}
