import { Command } from 'commander'

import { adminUrls } from '#commands/server/admin-urls.ts'
import { openSetup } from '#console/access/setup.ts'
import { homeFolder } from '#storage/home.ts'

import { configHelp, readConfig } from './config-file.ts'
import { type Outside, processOutside } from './outside.ts'
import { type JsonFlag, jsonText, withState } from './state.ts'

interface SetupFlags extends JsonFlag {
  readonly config?: string
}

/** `parley admin`: what is needed to get into the admin API, and back into it. */
export function adminCommand(outside: Outside = processOutside()): Command {
  return new Command('admin')
    .description('Let somebody into the admin API.')
    .addCommand(setupTokenCommand(outside))
}

function setupTokenCommand(outside: Outside): Command {
  return new Command('setup-token')
    .description('Make a token by which an administrator can be made: once, within 30 minutes.')
    .option('--config <file>', configHelp)
    .option('--json', jsonText)
    .action(async ({ config: file, json }: SetupFlags) => {
      const { environment, now } = outside
      const { config } = await readConfig(file, environment)
      const home = homeFolder(environment)
      const by = `command line (${environment['USER'] ?? 'unknown'})`
      const { token, file: kept } = await withState(outside, ({ storage }) =>
        openSetup({ storage, home, now, by }),
      )
      const { setupUrl = '' } = adminUrls(config.listen, undefined, token)
      if (json === true)
        return outside.print(
          JSON.stringify({ token: token.reveal(), url: setupUrl, file: kept ?? null }),
        )
      outside.print(setupUrl)
      outside.hint('Open it on this machine, within 30 minutes. It works once.')
    })
}
