import { plugin } from 'bun'

/**
 * Counts the work of our own code instead of timing it: every block that is entered, and every byte or unit that one
 * of the runtime's searches and copies may touch. Import it before the modules whose work is to be counted.
 */
export const work = { done: 0 }

Object.assign(globalThis, { countedWork: work })

const transpiler = new Bun.Transpiler({ loader: 'ts' })

// After the types are gone, `) {` begins a body, of a function, a branch or a loop, unless it is that of a `switch`.
plugin({
  name: 'counted work',
  setup(build) {
    build.onLoad({ filter: /\/src\/(?:std|protocols)\/.*\.ts$/ }, async ({ path }) => {
      const plain = transpiler.transformSync(await Bun.file(path).text())
      const contents = plain
        .replaceAll(/(switch \([^\n]*\)) \{/g, '$1\u0000')
        .replaceAll(') {', ') { countedWork.done++;')
        .replaceAll('\u0000', ' {')
      return { contents, loader: 'js' }
    })
  },
})

countSearches(String.prototype, [
  'indexOf',
  'lastIndexOf',
  'includes',
  'replaceAll',
  'trim',
  'slice',
])
countSearches(Buffer.prototype, ['indexOf', 'copy', 'toString'])
for (const name of ['parse', 'stringify'] as const) countArgument(JSON, name)
countArgument(TextDecoder.prototype, 'decode')

/** A search touches at most what lies between where it begins and what it finds; a slice is a rope and touches nothing. */
function countSearches(prototype: object, names: readonly string[]): void {
  for (const name of names) {
    const original: unknown = Reflect.get(prototype, name)
    if (typeof original !== 'function') throw new TypeError(`There is no ${name}.`)
    Reflect.set(
      prototype,
      name,
      function counted(this: { readonly length: number }, ...given: unknown[]) {
        const result: unknown = Reflect.apply(original, this, given)
        work.done += touched(name, this, given, result)
        return result
      },
    )
  }
}

function touched(
  name: string,
  { length }: { readonly length: number },
  given: unknown[],
  result: unknown,
): number {
  const from = typeof given[1] === 'number' ? given[1] : 0
  switch (name) {
    case 'indexOf':
      return typeof result === 'number' && result >= 0
        ? result - from + 1
        : Math.max(1, length - from)
    case 'slice':
      return 1
    case 'copy':
      return typeof result === 'number' ? result : length
    case 'toString':
      return typeof result === 'string' ? result.length : length
    default:
      return length
  }
}

function countArgument(holder: object, name: string): void {
  const original: unknown = Reflect.get(holder, name)
  if (typeof original !== 'function') throw new TypeError(`There is no ${name}.`)
  Reflect.set(holder, name, function counted(this: unknown, ...given: unknown[]) {
    const [first] = given
    if (typeof first === 'string' || first instanceof Uint8Array) work.done += first.length
    return Reflect.apply(original, this, given)
  })
}
