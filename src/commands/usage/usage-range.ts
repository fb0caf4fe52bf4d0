import type { Command } from 'commander'

import type { Outside } from '#commands/outside.ts'
import { timeAgo } from '#commands/times.ts'
import { usualOption } from '#commands/usual-option.ts'
import type { UsageFilter } from '#usage/usage-filter.ts'

/** Which exchanges a command is about, as they are typed. */
export interface RangeFlags {
  readonly since: number
  readonly until?: number
  readonly key?: string
  readonly project?: string
  readonly model?: string
  readonly result?: string
}

/** Gives a command the options that choose exchanges. */
export function withRange(command: Command, outside: Outside, since: string): Command {
  const ago = timeAgo(outside.now())
  return command
    .addOption(
      usualOption('--since <when>', {
        description: 'a date or a time before now: 2026-01-31, 24h, 7d',
        parse: ago,
        usual: since,
      }),
    )
    .option('--until <when>', 'only what began before', ago)
    .option('--key <id>', 'only what this key did')
    .option('--project <id>', 'only what the keys of this project did')
    .option('--model <name>', 'only what asked for this model, or what it answered')
    .option('--result <result>', 'only what ended so: complete, client-left, upstream-lost …')
}

export function filterOf({ since, until, key, project, model, result }: RangeFlags): UsageFilter {
  return {
    since,
    ...(until !== undefined && { until }),
    ...(key !== undefined && { keyId: key }),
    ...(project !== undefined && { projectId: project }),
    ...(model !== undefined && { model }),
    ...(result !== undefined && { result }),
  }
}
