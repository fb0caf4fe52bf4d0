import type { Block, ResultBlock, Turn } from '#chat/conversation.ts'

/**
 * Puts the results of tool calls where every protocol wants them: directly after the turn that called, before anything
 * else that is said. Entries of one role in a row are one turn in this protocol; they are joined only where the
 * calls need it, so that the bytes of all other prompts stay as they were.
 */
export function orderTurns(turns: readonly Turn[]): Turn[] {
  const ordered: Turn[] = []
  let run: Turn[] = []
  for (const turn of turns) {
    const last = run.at(-1)
    if (last !== undefined && isAssistant(last) !== isAssistant(turn)) {
      ordered.push(...orderRun(run))
      run = []
    }
    run.push(turn)
  }
  return [...ordered, ...orderRun(run)]
}

function isAssistant(turn: Turn): boolean {
  return turn.role === 'assistant'
}

function orderRun(run: readonly Turn[]): readonly Turn[] {
  const [first] = run
  if (first === undefined) return run
  return isAssistant(first) ? joinCalls(run, first) : resultsFirst(run)
}

/** A turn that follows the calls of the same speaker would stand between them and their results. */
function joinCalls(run: readonly Turn[], first: Turn): readonly Turn[] {
  const hasEarlyCall = run.slice(0, -1).some((turn) => turn.blocks.some(isCall))
  if (!hasEarlyCall) return run
  return [{ ...first, shape: 'list', blocks: run.flatMap((turn) => turn.blocks) }]
}

function isCall(block: Block): boolean {
  return block.type === 'call'
}

function resultsFirst(run: readonly Turn[]): readonly Turn[] {
  const giver = run.find((turn) => turn.blocks.some(isResult))
  if (giver === undefined) return run
  const results = run.flatMap((turn) => turn.blocks.filter(isResult))
  const rest = run.map((turn) => ({ ...turn, blocks: turn.blocks.filter((one) => !isResult(one)) }))
  const isInPlace = giver === run[0] && run.slice(1).every((turn) => !turn.blocks.some(isResult))
  if (isInPlace)
    return [{ ...giver, blocks: [...results, ...(rest[0]?.blocks ?? [])] }, ...run.slice(1)]
  return [{ ...giver, blocks: results }, ...rest.filter((turn) => turn.blocks.length > 0)]
}

function isResult(block: Block): block is ResultBlock {
  return block.type === 'result'
}
