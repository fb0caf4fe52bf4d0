import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { repository } from './gateway-process.ts'
import { type Mutation, mutations } from './mutation-list.ts'

export interface MutationsEnd {
  readonly mutations: number
  readonly caught: readonly Caught[]
  readonly violations: readonly string[]
}

export interface Caught {
  readonly name: string
  /** The test that failed, and the file that it stands in. */
  readonly by: string
}

export interface MutationsOptions {
  readonly isOver?: () => boolean
  readonly say?: (words: string) => void
}

/** Puts bugs that other gateways had into a copy of the sources, one at a time: the tests must fail for every one. */
export async function putBugsBack({
  isOver = () => false,
  say,
}: MutationsOptions): Promise<MutationsEnd> {
  const copy = copyOfRepository()
  try {
    const caught: Caught[] = []
    const violations: string[] = []
    let count = 0
    for (const mutation of mutations) {
      if (isOver()) break
      count++
      const by = await caughtBy(copy, mutation)
      if ('failure' in by) violations.push(`${mutation.name}: ${by.failure}`)
      else caught.push({ name: mutation.name, by: by.test })
      say?.(`${mutation.name}: ${'failure' in by ? by.failure : `caught by ${by.test}`}`)
    }
    return { mutations: count, caught, violations }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** Everything that the tests need. What is large and does not change is linked. */
function copyOfRepository(): string {
  const copy = mkdtempSync(join(tmpdir(), 'parley-mutant-'))
  for (const name of ['src', 'test', 'bin', 'package.json', 'tsconfig.json'])
    cpSync(join(repository, name), join(copy, name), { recursive: true })
  for (const name of ['node_modules', 'models'])
    symlinkSync(join(repository, name), join(copy, name))
  return copy
}

type Verdict = { readonly test: string } | { readonly failure: string }

/** The first of its tests that fails with the bug. Without it, every one of them has to pass. */
async function caughtBy(copy: string, { file, find, put, tests }: Mutation): Promise<Verdict> {
  const path = join(copy, file)
  const healthy = readFileSync(path, 'utf8')
  const pieces = healthy.split(find)
  if (pieces.length !== 2)
    return { failure: `the text to change stands ${pieces.length - 1} times in ${file}` }
  const sick = pieces.join(put)
  try {
    for (const test of tests) {
      writeFileSync(path, sick)
      const failed = await firstFailure(copy, test)
      if (failed === undefined) continue
      writeFileSync(path, healthy)
      const without = await firstFailure(copy, test)
      if (without !== undefined) return { failure: `${test} fails without it too: ${without}` }
      return { test: `${test}: ${failed}` }
    }
    return { failure: `not caught by ${tests.join(', ')}` }
  } finally {
    writeFileSync(path, healthy)
  }
}

const longestTestMs = 60_000

/** The name of the first test of a file that fails; undefined if all pass. */
async function firstFailure(copy: string, test: string): Promise<string | undefined> {
  const child = Bun.spawn([join(copy, 'bin/parley-bun'), 'test', `./${test}`], {
    cwd: copy,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: longestTestMs,
    killSignal: 'SIGKILL',
  })
  const [out, error] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  if ((await child.exited) === 0) return undefined
  const [, name] = /^\(fail\) (.*?)(?: \[[\d.]+ms\])?$/m.exec(`${out}\n${error}`) ?? []
  return name ?? 'it did not end well'
}
