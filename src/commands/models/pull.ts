import { Command } from 'commander'
import pc from 'picocolors'

import { type Outside, processOutside } from '#commands/outside.ts'
import { pull } from '#engine/files/pull.ts'
import { homeFolder } from '#storage/home.ts'
import { modelsFolder } from '#upstreams/build-engine.ts'

import { ProgressLine } from './progress-line.ts'

interface PullFlags {
  readonly sha256?: string
  readonly json?: boolean
}

/** `parley pull`: brings a model's file into the home, where a server finds it by itself. */
export function pullCommand(outside: Outside = processOutside()): Command {
  return new Command('pull')
    .description('Fetch a model file (GGUF) that the engine can run.')
    .argument(
      '<source>',
      'owner/repo[:quant] or hf:owner/repo[/file.gguf] of the hub (HF_ENDPOINT, HF_TOKEN), a URL, or a path',
    )
    .option('--sha256 <sum>', 'what the checksum of the file has to be')
    .option('--json', 'print JSON for programs')
    .action(async (source: string, { sha256, json }: PullFlags) => {
      const { environment } = outside
      using line = new ProgressLine(outside)
      const pulled = await pull(source, {
        folder: modelsFolder(homeFolder(environment)),
        workingFolder: process.cwd(),
        environment,
        sha256,
        onProgress: line.show,
      })
      line.end()
      if (json === true) return outside.print(JSON.stringify(pulled))
      outside.print(`${pc.green('✓')} ${pulled.model}  ${pc.dim(pulled.files.join(', '))}`)
      outside.hint(
        pc.dim('A running server offers it within a minute, and at once if asked for it.'),
      )
    })
}
