import type { Answer, Given } from '#console/web/api/contract.ts'

/** A vendor, as the form offers it. */
export type Vendor = Answer<'GET /api/vendors'>['vendors'][number]

/** What somebody types of a new upstream. */
export interface UpstreamFields {
  readonly name: string
  /** Empty for a server of one's own. */
  readonly vendor: string
  readonly protocol: 'chat-completions' | 'messages'
  readonly url: string
  /** The environment variable that will hold its key; empty where it needs none. */
  readonly keyVariable: string
  /** Used for the test and kept nowhere. */
  readonly key: string
}

export const emptyUpstream: UpstreamFields = {
  name: '',
  vendor: '',
  protocol: 'chat-completions',
  url: '',
  keyVariable: '',
  key: '',
}

export function isUpstreamField(name: string): name is keyof UpstreamFields {
  return Object.hasOwn(emptyUpstream, name)
}

/** The same with all that a vendor brings: its name, its usual protocol and the variable of its key. */
export function withVendor(
  fields: UpstreamFields,
  vendor: Vendor | undefined,
  former: Vendor | undefined,
): UpstreamFields {
  const isOwnName = fields.name !== '' && fields.name !== former?.name
  const isOwnVariable = fields.keyVariable !== '' && fields.keyVariable !== former?.keyVariable
  return {
    ...fields,
    vendor: vendor?.name ?? '',
    name: isOwnName ? fields.name : (vendor?.name ?? ''),
    protocol: vendor?.speaks[0]?.protocol ?? fields.protocol,
    url: '',
    keyVariable: isOwnVariable ? fields.keyVariable : (vendor?.keyVariable ?? ''),
  }
}

/** The URL that a vendor brings for a protocol, so that none need be typed. */
export function usualUrl(
  { protocol }: Pick<UpstreamFields, 'protocol'>,
  vendor: Vendor | undefined,
): string | undefined {
  return vendor?.speaks.find((one) => one.protocol === protocol)?.url ?? undefined
}

/** What is wrong with what was typed, by field; the gateway has the last word. */
export function upstreamProblems(
  fields: UpstreamFields,
  vendor: Vendor | undefined,
): Partial<Record<keyof UpstreamFields, string>> {
  const { name, url, keyVariable, key } = fields
  return {
    ...(!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name) && {
      name: 'Use letters, digits, dots, underscores and hyphens.',
    }),
    ...(url === '' &&
      usualUrl(fields, vendor) === undefined && {
        url: 'Say where it is, such as http://10.0.0.5:8000/v1.',
      }),
    ...(url !== '' && !/^https?:\/\//i.test(url) && { url: 'Use an http or https URL.' }),
    ...(url !== '' && hasSecret(url) && { url: 'Keep keys and passwords out of the URL.' }),
    ...(keyVariable !== '' && variableProblem(keyVariable)),
    ...(/\s/.test(key) && { key: 'A key has no blanks in it.' }),
  }
}

function variableProblem(text: string): { readonly keyVariable: string } | undefined {
  if (/^[A-Z_][A-Z0-9_]{0,99}$/.test(text)) return undefined
  return {
    keyVariable:
      'This is the name of a variable such as GPU_BOX_KEY, in capitals, and never the key itself.',
  }
}

function hasSecret(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { username, password, searchParams } = new URL(url)
  return (
    username !== '' ||
    password !== '' ||
    [...searchParams.keys()].some((name) => /key|token|secret|sig/i.test(name))
  )
}

/** What the gateway is to try. */
export function trialOf(
  fields: UpstreamFields,
  vendor: Vendor | undefined,
): Given<'POST /api/upstream-trials'>['body'] {
  const { name, protocol, url, key } = fields
  return {
    name,
    ...(vendor !== undefined && { vendor: vendor.name }),
    ...(isProtocolSaid(fields, vendor) && { protocol }),
    ...(url !== '' && { url }),
    ...(key !== '' && { key }),
  }
}

/** What a vendor speaks first need not be said. */
function isProtocolSaid({ protocol }: UpstreamFields, vendor: Vendor | undefined): boolean {
  return vendor?.speaks[0]?.protocol !== protocol
}

/**
 * The lines of the config that bring the upstream about. The key is a reference to the environment: a key itself has no
 * place in a file that is copied, shown and kept under version control.
 */
export function upstreamYaml(fields: UpstreamFields, vendor: Vendor | undefined): string {
  const { name, protocol, url, keyVariable } = fields
  const lines = [
    ...(vendor === undefined ? [] : [`vendor: ${vendor.name}`]),
    ...(isProtocolSaid(fields, vendor) ? [`protocol: ${protocol}`] : []),
    ...(url === '' ? [] : [`url: ${quoted(url)}`]),
    ...(keyVariable === '' ? [] : [`key: ${quoted(`\${${keyVariable}}`)}`]),
  ]
  return ['upstreams:', `  ${plain(name)}:`, ...lines.map((line) => `    ${line}`), ''].join('\n')
}

/** A name that YAML cannot take for something else needs no quotes. */
function plain(name: string): string {
  return /^[a-z][a-z0-9-]+$/i.test(name) && !yamlWords.has(name.toLowerCase()) ? name : quoted(name)
}

const yamlWords = new Set(['true', 'false', 'null', 'yes', 'no', 'on', 'off'])

/** A text in JSON is one in YAML too, whatever is in it; the config's own references begin with `${`. */
function quoted(text: string): string {
  return JSON.stringify(text)
}
