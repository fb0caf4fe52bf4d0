import { readFileSync } from 'node:fs'

import { Command, CommanderError } from 'commander'

import { GatewayError } from '#chat/error.ts'
import { ConfigError } from '#config/problem.ts'
import { ModelFileError } from '#engine/files/model-file-error.ts'
import { StorageError } from '#storage/storage-error.ts'

import { environmentHelp, examples } from './examples.ts'
import { CommandFailure, type ExitCode, exitCodeOf, exitCodes } from './exit-codes.ts'
import { type Outside, processOutside } from './outside.ts'

/** Runs the command line and gives the exit code. What goes wrong is one message on standard error, never a stack. */
export async function runProgram(
  args: readonly string[],
  outside: Outside = processOutside(),
): Promise<ExitCode> {
  try {
    const words = isForProgram(args) ? args : ['serve', ...args]
    const program = await programOf(words[0] ?? '', outside)
    await program.parseAsync([...words], { from: 'user' })
    return exitCodes.done
  } catch (error) {
    if (!(error instanceof CommanderError)) outside.hint(`parley: ${wordsOf(error)}`)
    return error instanceof ConfigError ? exitCodes.data : exitCodeOf(error)
  }
}

/** Whether the first word is a command, or an option of the program rather than of its usual command. */
function isForProgram([first = '']: readonly string[]): boolean {
  return /^(-h|--help|-v|--version|[^-].*)$/.test(first)
}

/** Each command with what it needs, and that is loaded only if it is run: a start does not wait for the tables. */
const commands: Readonly<Record<string, (outside: Outside) => Promise<Command>>> = {
  serve: async (outside) => (await import('#commands/server/serve.ts')).serveCommand(outside),
  keys: async (outside) => (await import('#commands/keys/keys.ts')).keysCommand(outside),
  projects: async (outside) =>
    (await import('#commands/keys/projects.ts')).projectsCommand(outside),
  organisation: async (outside) =>
    (await import('#commands/keys/organisation.ts')).organisationCommand(outside),
  usage: async (outside) => (await import('#commands/usage/usage.ts')).usageCommand(outside),
  prices: async (outside) => (await import('#commands/usage/prices.ts')).pricesCommand(outside),
  admin: async (outside) => (await import('./admin.ts')).adminCommand(outside),
  audit: async (outside) => (await import('./audit.ts')).auditCommand(outside),
  models: async (outside) => (await import('#commands/models/models.ts')).modelsCommand(outside),
  pull: async (outside) => (await import('#commands/models/pull.ts')).pullCommand(outside),
  check: async (outside) => (await import('#commands/health/check.ts')).checkCommand(outside),
  doctor: async (outside) => (await import('#commands/health/doctor.ts')).doctorCommand(outside),
  backup: async (outside) => (await import('#commands/health/backup.ts')).backupCommand(outside),
  version: async (outside) => versionCommand(outside),
}

/** The program with the one command that is named, or with all where none is, for help and suggestions. */
async function programOf(named: string, outside: Outside): Promise<Command> {
  const program = new Command('parley')
    .description('One address and one kind of key in front of every language model that you use.')
    .version(version(), '-v, --version', 'print the version')
    // An option belongs to the command that it stands behind: `usage` and `usage list` both have `--json`.
    .enablePositionalOptions()
    .addHelpText('after', environmentHelp)
  const wanted = Object.hasOwn(commands, named) ? [named] : Object.keys(commands)
  for (const name of wanted) {
    const command = await commands[name]?.(outside)
    if (command !== undefined) program.addCommand(command)
  }
  settle(program, 'parley', outside)
  return program
}

function versionCommand(outside: Outside): Command {
  return new Command('version')
    .description('Print the version.')
    .option('--json', 'print JSON for programs')
    .action(({ json }: { json?: boolean }) => {
      const bun = Bun.version
      outside.print(
        json ? JSON.stringify({ version: version(), bun }) : `parley ${version()} on Bun ${bun}`,
      )
    })
}

/** What every command has alike: examples, errors on one line, and no end of the process of its own. */
function settle(command: Command, name: string, outside: Outside): void {
  const lines = (examples[name] ?? []).map((example) => `  ${example}\n`)
  command
    .addHelpText('after', `\nExamples:\n${lines.join('')}`.trimEnd())
    .exitOverride()
    .configureOutput({
      writeOut: (text) => outside.print(text.trimEnd()),
      writeErr: (text) => outside.hint(text.trimEnd()),
      outputError: (text, write) => write(`parley: ${onOneLine(text)} See ${name} --help.`),
    })
  for (const sub of command.commands) settle(sub, `${name} ${sub.name()}`, outside)
}

function onOneLine(text: string): string {
  const [first = '', ...rest] = text
    .trim()
    .replace(/^error: /, '')
    .split('\n')
  return [/[.?!]$/.test(first) ? first : `${first}.`, ...rest].join(' ')
}

const wordedErrors = [
  CommandFailure,
  ConfigError,
  StorageError,
  GatewayError,
  ModelFileError,
] as const

function wordsOf(error: unknown): string {
  if (wordedErrors.some((kind) => error instanceof kind)) return (error as Error).message
  if (error instanceof Error)
    return `${error.message} (This is a bug; please report it with the stack below.)\n${error.stack}`
  return String(error)
}

function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return JSON.parse(text).version
}
