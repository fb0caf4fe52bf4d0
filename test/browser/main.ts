import { Glob } from 'bun'

import { optionsOf } from '#test/suite-options.ts'

import { artefactFolder } from './artefacts.ts'
import { chromiumPath, hasChromium } from './chromium.ts'

// The console as people use it: Chromium, the real server, the embedded model. About two minutes.

const values = optionsOf('The console in Chromium, as people use it.', {
  only: { usual: '', about: 'a part of the names of the files' },
  test: { usual: '', about: 'a part of the names of the tests' },
  'as-built': { usual: false, about: 'take the console as it was built' },
  lanes: { usual: '2', about: 'how many files are run at once' },
})

if (!hasChromium()) {
  console.log(
    `There is no Chromium at ${chromiumPath}. Install it (apt-get install chromium), or name one in PARLEY_CHROMIUM.`,
  )
  process.exit(1)
}

// What is tested is what lies in the sources, whatever was built before.
if (!values['as-built']) {
  const stdio = ['ignore', 'inherit', 'inherit'] as const
  const build = Bun.spawn([process.execPath, 'src/console/web/build.ts'], { stdio: [...stdio] })
  if ((await build.exited) !== 0) process.exit(1)
}

const folder = artefactFolder()
/** What takes longest comes first, so that no lane waits for the other at the end. */
const longest = ['looks', 'hostile', 'roles', 'people']
const rank = (file: string): number => {
  const at = longest.findIndex((name) => file.startsWith(name))
  return at === -1 ? longest.length : at
}
const files = [...new Glob('*.browser.ts').scanSync(import.meta.dir)]
  .filter((file) => file.includes(values.only))
  .toSorted((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1))
const sums = { pass: 0, fail: 0 }

async function lane(): Promise<void> {
  for (let file = files.shift(); file !== undefined; file = files.shift()) await run(file)
}

/** Runs one file, and tells what it said when it is over. */
async function run(file: string): Promise<void> {
  const words = ['--timeout=120000', ...(values.test === '' ? [] : ['-t', values.test])]
  const child = Bun.spawn([process.execPath, 'test', ...words, `${import.meta.dir}/${file}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PARLEY_ARTEFACTS: folder },
  })
  const [out, error] = await Promise.all([child.stdout.text(), child.stderr.text()])
  const status = await child.exited
  const text = `${out}${error}`
  const fail = countIn(text, 'fail')
  const isFilteredOut = values.test !== '' && countIn(text, 'pass') + fail === 0
  sums.pass += countIn(text, 'pass')
  sums.fail += fail === 0 && status !== 0 && !isFilteredOut ? 1 : fail
  if (!isFilteredOut) console.log(text.replaceAll(/^ *\d+ (?:pass|fail)$\n?/gm, ''))
}

function countIn(text: string, word: 'pass' | 'fail'): number {
  return Number(new RegExp(`^ *(\\d+) ${word}$`, 'm').exec(text)?.[1] ?? 0)
}

await Promise.all(Array.from({ length: Number(values.lanes) }, lane))
console.log(`pictures and figures: ${folder}\n ${sums.pass} pass\n ${sums.fail} fail`)
process.exitCode = sums.fail === 0 && sums.pass > 0 ? 0 : 1
