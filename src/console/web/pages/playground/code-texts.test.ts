import { expect, test } from 'bun:test'

import { anthropicText, type CodeOptions, curlText, openaiText } from './code-texts.ts'
import { settingOf, usualSetting } from './setting-text.ts'

const hostile = `It's "quoted" \`$HOME\` \${x} \\ \n'; rm -rf / #`

const options = (more: Partial<CodeOptions> = {}): CodeOptions => ({
  url: 'http://localhost:8700',
  protocol: 'messages',
  model: 'm',
  setting: settingOf(usualSetting).setting,
  turns: [{ type: 'user', text: hostile, pictures: [] }],
  ...more,
})

test('the command is one that a shell takes apart into what was meant', async () => {
  const command = curlText(options()).replace(/^curl/, 'printf "%s\\0"')
  const shell = Bun.spawn(['sh', '-c', command], { env: { PARLEY_KEY: 'k' } })
  const words = (await new Response(shell.stdout).text()).split('\0')
  expect(words[0]).toBe('http://localhost:8700/v1/messages')
  expect(words).toContain('x-api-key: k')
  const body = JSON.parse(words.at(-2) ?? '')
  expect(body.messages).toEqual([{ role: 'user', content: hostile }])
})

test.each([
  ['openai', openaiText],
  ['anthropic', anthropicText],
] as const)('the code for %s is one that runs, with what was meant', async (name, textOf) => {
  for (const isStream of [true, false]) {
    const text = textOf(options({ setting: { ...options().setting, isStream } }))
    const compiled = new Bun.Transpiler({ loader: 'ts' }).transformSync(text)
    expect(compiled).toContain('PARLEY_KEY')
    const [, literal = ''] = /(?:create|stream)\((\{.*?\n\})\)/s.exec(text) ?? []
    // What stands there is what the code would send.
    const module = encodeURIComponent(`export const body = ${literal}`)
    const { body } = await import(`data:text/javascript,${module}`)
    expect(body).toMatchObject({ model: 'm', messages: [{ role: 'user', content: hostile }] })
    expect(text).toContain(name === 'openai' ? '8700/v1' : "8700'")
  }
})
