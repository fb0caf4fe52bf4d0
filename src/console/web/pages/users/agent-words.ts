const browsers = [
  ['Edge', /\bEdgA?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:Headless)?Chrome\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)[\d.]* (?:Mobile\/\S+ )?Safari\//],
  ['curl', /^curl\/(\d+)/],
] as const

const systems = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\b(?:Linux|X11)\b/],
] as const

/** What a browser says of itself, in a few words: `Firefox 145 on Linux`. It may say anything, and is believed nothing. */
export function agentWords(agent: string | null): string {
  if (agent === null || agent.trim() === '') return 'unknown'
  const system = systems.find(([, pattern]) => pattern.test(agent))?.[0]
  for (const [name, pattern] of browsers) {
    const version = pattern.exec(agent)?.[1]
    if (version !== undefined) return `${name} ${version}${system ? ` on ${system}` : ''}`
  }
  return agent.length > 40 ? `${agent.slice(0, 40)}…` : agent
}
