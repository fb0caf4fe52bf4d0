import { afterAll, describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { examples } from '#commands/examples.ts'
import { runProgram } from '#commands/program.ts'

import { type Finished, newPerson } from './run-parley.ts'
import { json, startScriptedUpstream } from './scripted-upstream.ts'

const person = newPerson()
afterAll(() => person[Symbol.asyncDispose]())
const version: string = JSON.parse(readFileSync('package.json', 'utf8')).version

/** The same in this process: for what is only words, which need no process each. */
async function said(words: readonly string[]): Promise<Finished> {
  let [out, error] = ['', '']
  const exitCode = await runProgram(words, {
    environment: {},
    isInteractive: false,
    columns: 100,
    now: Date.now,
    print: (text) => void (out += `${text}\n`),
    hint: (text) => void (error += `${text}\n`),
    ask: async () => '',
  })
  return { exitCode, out, error }
}

describe('what is not understood is one clear line and exit code 64', () => {
  const rows: readonly [words: string, line: string][] = [
    ['nonsense', "unknown command 'nonsense'. See parley --help."],
    ['modles', "unknown command 'modles'. (Did you mean models?) See parley --help."],
    ['keys nonsense', "unknown command 'nonsense'. See parley keys --help."],
    ['serve --prot 1', "unknown option '--prot'. (Did you mean --port?) See parley serve --help."],
    ['--nonsense', "unknown option '--nonsense'. See parley serve --help."],
    [
      'keys create',
      "required option '--name <name>' not specified. See parley keys create --help.",
    ],
    ['usage extra', 'too many arguments'],
    ['--port 70000', 'expected a port number from 0 to 65535'],
  ]
  test.each(rows)('parley %s', async (words, line) => {
    const { exitCode, out, error } = await said(words.split(' '))
    expect(error).toStartWith('parley: ')
    expect(error).toContain(line)
    expect(error.trim()).not.toContain('\n')
    expect(out).toBe('')
    expect(exitCode).toBe(64)
  })

  test('a real process says the same', async () => {
    const { exitCode, error } = await person.run(['nonsense'])
    expect(error).toBe("parley: unknown command 'nonsense'. See parley --help.\n")
    expect(exitCode).toBe(64)
  })

  test('a port of the environment that is none', async () => {
    const { exitCode, error } = await person.run(['serve'], { PORT: 'abc' })
    expect(error).toBe(
      'parley: PORT is "abc" in the environment: expected a port number from 0 to 65535.\n',
    )
    expect(exitCode).toBe(64)
  })
})

describe('a start that cannot be is one clear line', () => {
  test('a port that is in use: 69', async () => {
    const running = await person.serve()
    const { exitCode, error } = await person.run(['serve', '--port', `${running.port}`])
    expect(error).toBe(
      `parley: Cannot listen on 127.0.0.1:${running.port}: the port is in use, perhaps by another Parley. Stop that one, or choose another port with --port.\n`,
    )
    expect(exitCode).toBe(69)
  })

  test('an address of another machine: 69', async () => {
    const words = ['serve', '--host', '203.0.113.7', '--port', '0']
    const { exitCode, error } = await person.run(words)
    expect(error).toContain('Cannot listen on 203.0.113.7:0: this machine has no such address')
    expect(exitCode).toBe(69)
  })

  test('a home that is a file: 73', async () => {
    const PARLEY_HOME = person.write('file', '')
    const { exitCode, error } = await person.run(['serve', '--port', '0'], { PARLEY_HOME })
    expect(error).toContain('PARLEY_HOME')
    expect(error.trim()).not.toContain('\n')
    expect(exitCode).toBe(73)
  })

  test('a config that is not there: 65, whoever named it', async () => {
    const missing = join(person.folder, 'missing.yaml')
    const words = `parley: ${missing} has a problem:\n  there is no such file\n`
    expect(await person.run(['serve', '--config', 'missing.yaml'])).toMatchObject({
      exitCode: 65,
      error: words,
    })
    const byName = await person.run(['serve'], { PARLEY_CONFIG: missing })
    expect(byName).toMatchObject({ exitCode: 65, error: words })
  })

  test('a config that is wrong: 65, with all problems, their paths, what is there and what should be', async () => {
    const wrong = person.write(
      'wrong.yaml',
      'listen: { port: high }\nlimit: {}\nmodels: { a: { targets: [x/y] } }',
    )
    const { exitCode, error } = await person.run(['serve', '--config', wrong])
    expect(error).toContain('has 3 problems')
    expect(error).toContain('listen.port: found `high`')
    expect(error).toContain('limit: found an unknown key, did you mean `limits`?')
    expect(error).toContain('models.a.targets[0]')
    expect(exitCode).toBe(65)
  })
})

describe('where it listens', () => {
  test('an option wins over the environment, and that over the config', async () => {
    const taken = await person.serve()
    const config = person.write('taken.yaml', `listen: { port: ${taken.port} }`)
    const byFile = await person.run(['serve', '--config', config])
    expect(byFile.exitCode).toBe(69)
    const byEnvironment = await person.serve([], { PARLEY_CONFIG: config, PARLEY_ADMIN_PORT: '0' })
    expect(byEnvironment.config).toBe(config)
    const byOption = await person.serve(['--port', '0', '--host', 'localhost'], {
      PORT: `${taken.port}`,
    })
    expect(byOption.url).toBe(`http://localhost:${byOption.port}`)
    expect((await fetch(`${byOption.url}/healthz`)).status).toBe(200)
  })
})

describe('parley check', () => {
  test('says for programs what is wrong, with exit code 65', async () => {
    const wrong = person.write('check.yaml', 'log: { level: loud }')
    const { exitCode, out } = await person.run(['check', '--config', wrong, '--json'])
    expect(JSON.parse(out)).toEqual({
      ok: false,
      path: wrong,
      problems: [
        { path: ['log', 'level'], found: '`loud`', expected: expect.stringContaining('one of') },
      ],
    })
    expect(exitCode).toBe(65)
  })

  test('says so where all is well', async () => {
    const good = person.write(
      'good.yaml',
      'upstreams: { box: { protocol: messages, url: "http://127.0.0.1:9" } }',
    )
    const { exitCode, out } = await person.run(['check', '--config', good, '--json'])
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      path: good,
      upstreams: ['box'],
      models: [],
      engine: ['parley-mini', 'parley-mini-embed'],
    })
    expect(exitCode).toBe(0)
    const words = (await person.run(['check', '--config', good])).out
    expect(words).toContain('upstreams  box')
    expect(words).toContain('engine     parley-mini, parley-mini-embed')
  })

  test('finds what only the upstreams can see', async () => {
    const wrong = person.write(
      'ftp.yaml',
      'upstreams: { box: { protocol: messages, url: "ftp://x" } }',
    )
    const { exitCode, error } = await person.run(['check', '--config', wrong])
    expect(error).toContain('upstreams.box')
    expect(exitCode).toBe(65)
  })
})

describe('beside a running server', () => {
  test('keys, usage, models and version answer, and a new key works at once', async () => {
    await using upstream = await startScriptedUpstream([json(200, { data: [{ id: 'model-a' }] })])
    const config = person.write(
      'up.yaml',
      `upstreams: { up: { protocol: chat-completions, url: "${upstream.url}" } }`,
    )
    const environment = { PARLEY_CONFIG: config }
    const { url } = await person.serve([], environment)
    const [created, usage, models, told] = await Promise.all([
      person.run(['keys', 'create', '--name', 'ci', '--json']),
      person.run(['usage', '--json']),
      person.run(['models', '--json'], environment),
      person.run(['version', '--json']),
    ])
    const { key } = JSON.parse(created.out)
    const response = await fetch(`${url}/v1/models`, { headers: { 'x-api-key': key } })
    expect(response.status).toBe(200)
    expect(JSON.parse(usage.out)).toEqual([])
    expect(JSON.parse(models.out)).toMatchObject([
      { id: 'model-a', upstream: 'up' },
      { id: 'parley-mini', upstream: 'engine' },
      { id: 'parley-mini-embed', upstream: 'engine' },
    ])
    expect(JSON.parse(told.out)).toMatchObject({ version })
  })
})

describe('help', () => {
  /** Those that only lead to others, and the one that prints no result. */
  const withoutJson = new Set([
    'parley',
    'parley keys',
    'parley projects',
    'parley organisation',
    'parley serve',
  ])

  test.each(Object.keys(examples))('%s --help has its options and examples', async (name) => {
    const { exitCode, out, error } = await said([...name.split(' ').slice(1), '--help'])
    expect(out).toStartWith(`Usage: ${name}`)
    for (const example of examples[name] ?? []) expect(out).toContain(`  ${example}\n`)
    if (!withoutJson.has(name)) expect(out).toContain('--json')
    // A default is said as it is typed, not as what is made of it.
    expect(out).not.toMatch(/default:\s+(?:\d{6,}|\[)/)
    expect(error).toBe('')
    expect(exitCode).toBe(0)
  })

  test('every command has examples', async () => {
    const names = await namesBelow('parley')
    expect(names).toContain('parley serve')
    expect(names).toContain('parley usage erase')
    expect(names.filter((name) => examples[name] === undefined)).toEqual([])
  })

  /** The full names of all commands below one, as its help and theirs list them. */
  async function namesBelow(name: string): Promise<readonly string[]> {
    const { out } = await said([...name.split(' ').slice(1), '--help'])
    const [, listed = ''] = out.split('\nCommands:\n')
    const names = [...(listed.split('\n\n')[0] ?? '').matchAll(/^ {2}(\w[\w-]*)/gm)]
      .filter(([, sub]) => sub !== 'help')
      .map(([, sub]) => `${name} ${sub}`)
    return [...names, ...(await Promise.all(names.map(namesBelow))).flat()]
  }
})

test('a reader that leaves before the end is no failure', async () => {
  const command = `'${process.cwd()}/bin/parley' --help; echo "exit $?" >&2`
  const child = Bun.spawn(['sh', '-c', `{ ${command}; } | true`], { stderr: 'pipe', timeout: 5000 })
  expect(await new Response(child.stderr).text()).toBe('exit 0\n')
})

test('no colours where the output is no terminal, whatever the environment looks like', async () => {
  const environment = { CI: 'true', TERM: 'xterm-256color' }
  await person.run(['keys', 'create', '--name', 'plain'], environment)
  const { out } = await person.run(['keys', 'list'], environment)
  expect(out).toContain('plain')
  expect(out).not.toContain('\u001B')
})

test('a checkout without Bun says what to do', () => {
  const bare = join(person.folder, 'bare')
  mkdirSync(join(bare, 'bin'), { recursive: true })
  for (const name of ['parley', 'parley-bun'])
    chmodSync(person.write(`bare/bin/${name}`, readFileSync(`bin/${name}`, 'utf8')), 0o755)
  const { exitCode, stderr } = Bun.spawnSync([join(bare, 'bin/parley')])
  expect(stderr.toString()).toBe(
    `parley: Bun is not installed in ${bare}/node_modules. Run 'npm ci' there first.\n`,
  )
  expect(exitCode).toBe(69)
})
