import { runProgram } from '#commands/program.ts'

// Who reads the output may leave before its end, as `head` does. That is no failure, and a server runs on without it.
for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe)

process.exitCode = await runProgram(process.argv.slice(2))

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}
