import pc from 'picocolors'

import { isAnyAddress } from '#addresses/loopback.ts'
import type { ModelCard } from '#chat/model-card.ts'
import type { ShownKey } from '#commands/keys/first-key.ts'
import type { ConsoleState } from '#console/api/console-state.ts'

export interface WelcomeFacts {
  readonly host: string
  readonly port: number
  /** The config file that is in force, if there is one. */
  readonly path: string | undefined
  readonly key: ShownKey
  /** Where the console and the admin API are, and where the first administrator is made while there is none. */
  readonly adminUrl: string
  readonly setupUrl?: string | undefined
  /** Whether there is a console to be served, and whether it is that of these sources. */
  readonly console: ConsoleState
}

/** What a start prints at once: where the gateway is, and with which key. */
export function greeting(facts: WelcomeFacts): string {
  return [
    '',
    `  ${pc.bold('Parley')} serves at ${pc.cyan(urlOf(facts))}`,
    `  key     ${keyLine(facts.key)}`,
    `  console ${consoleLine(facts)}`,
    `  config  ${facts.path ?? pc.dim('none: what the environment and this machine offer')}`,
  ].join('\n')
}

/** What it prints when it knows its models: which they are, and what to paste. */
export function modelsAndPastes(facts: WelcomeFacts, cards: readonly ModelCard[]): string {
  const key = facts.key.text ?? '<your key>'
  return [
    `  models  ${modelLine(cards)}`,
    '',
    ...pastes(urlOf(facts), key, chatModelOf(cards)?.id ?? '<model>'),
    '',
  ].join('\n')
}

/** The first model that one can talk to: an embedding model would answer the first curl with an error. */
export function chatModelOf(cards: readonly ModelCard[]): ModelCard | undefined {
  return cards.find(({ id }) => !/embed|whisper|tts|dall-e|moderation/.test(id)) ?? cards[0]
}

/** The greeting for programs. */
export function welcomeJson(facts: WelcomeFacts): string {
  const { port, path, key, adminUrl, setupUrl } = facts
  return JSON.stringify({
    url: urlOf(facts),
    port,
    key: key.text ?? null,
    keyFile: key.file ?? null,
    config: path ?? null,
    adminUrl,
    setupUrl: setupUrl ?? null,
  })
}

/** An address that a client on this machine can use. */
function urlOf({ host, port }: WelcomeFacts): string {
  if (isAnyAddress(host)) return `http://localhost:${port}`
  return host.includes(':') ? `http://[${host}]:${port}` : `http://${host}:${port}`
}

function keyLine({ text, isNew, file }: ShownKey): string {
  if (text === undefined)
    return pc.dim('as issued before; another: npx parley keys create --name <name>')
  if (!isNew) return `${text} ${pc.dim(`(from ${file})`)}`
  const where = file === undefined ? '(shown only now: keep it)' : `(also in ${file})`
  return `${pc.green(text)} ${pc.dim(where)}`
}

function consoleLine({ adminUrl, setupUrl, console }: WelcomeFacts): string {
  const url =
    setupUrl === undefined
      ? pc.cyan(adminUrl)
      : `${pc.cyan(setupUrl)} ${pc.dim('(open it once, within 30 minutes)')}`
  return `${url}${unbuilt[console]}`
}

const unbuilt = {
  built: '',
  missing: pc.yellow(' (the API alone: the console is not built, "npm run prepare" builds it)'),
  stale: pc.yellow(' (built of older sources: "npm run prepare" builds it anew)'),
} as const satisfies Record<ConsoleState, string>

const mostShown = 8

function modelLine(cards: readonly ModelCard[]): string {
  if (cards.length === 0) {
    return pc.yellow(
      'none yet: set OPENAI_API_KEY or ANTHROPIC_API_KEY, start a model server, or write parley.yaml',
    )
  }
  const names = cards.slice(0, mostShown).map(({ id }) => id)
  const rest = cards.length - names.length
  return names.join(', ') + (rest > 0 ? pc.dim(` and ${rest} more (GET /v1/models)`) : '')
}

function pastes(url: string, key: string, model: string): string[] {
  const question = `"messages":[{"role":"user","content":"Hello!"}]`
  return [
    pc.dim('  # chat completions'),
    `  curl ${url}/v1/chat/completions -H "Authorization: Bearer ${key}" \\`,
    `    -H "Content-Type: application/json" -d '{"model":"${model}",${question}}'`,
    '',
    pc.dim('  # messages'),
    `  curl ${url}/v1/messages -H "x-api-key: ${key}" -H "anthropic-version: 2023-06-01" \\`,
    `    -H "Content-Type: application/json" -d '{"model":"${model}","max_tokens":256,${question}}'`,
    '',
    pc.dim('  # the official SDKs'),
    `  export OPENAI_BASE_URL=${url}/v1 OPENAI_API_KEY=${key}`,
    `  export ANTHROPIC_BASE_URL=${url} ANTHROPIC_API_KEY=${key}`,
  ]
}
