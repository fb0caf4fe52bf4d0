/*
 * Where a crash test may end the process: `FAIL_AT=point:n` kills it, as `kill -9` would, when it passes that point
 * for the n-th time. The points that there are:
 *
 *   before-reserve   what begins is about to be written; nothing of its transaction is
 *   after-reserve    what begins is written and not committed
 *   before-commit    a batch is written and not committed
 *   after-commit     a batch is on disk, and nobody has been told
 *   between-commit-and-terminator   the outcome is on disk, and the caller has not seen the end
 *   during-migration   the tables are changed and not committed
 *   during-prune       old rows are deleted and not committed
 *   during-checkpoint  the write-ahead log is copied into the database, and not yet started anew
 */

// eslint-disable-next-line no-restricted-globals -- only a crash test sets it, and only this file looks.
const setting = process.env['FAIL_AT']

/** Marks a point of the program that a crash test can name. Does nothing unless one does. */
export const failAt: (point: string) => void = setting === undefined ? () => {} : failing(setting)

function failing(wanted: string): (point: string) => void {
  const [name, count = '1'] = wanted.split(':')
  let left = Number(count)
  return (point) => {
    if (point !== name || --left > 0) return
    // eslint-disable-next-line no-restricted-globals -- the whole process has to go, from whichever thread.
    process.kill(process.pid, 'SIGKILL')
  }
}
