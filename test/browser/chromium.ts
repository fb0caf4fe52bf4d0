import { existsSync } from 'node:fs'

import { type Browser, chromium } from 'playwright-core'

/** Debian's, unless another is named. */
export const chromiumPath = process.env['PARLEY_CHROMIUM'] ?? '/usr/bin/chromium'

export function hasChromium(): boolean {
  return existsSync(chromiumPath)
}

/** No name but that of this machine is looked up: whatever a page asks of others fails, and is seen. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
]

/** Starts Chromium without a window and with an empty profile. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath, headless: true, args })
}
