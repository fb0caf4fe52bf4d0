import { getLlama, LlamaGrammarEvaluationState, LlamaLogLevel } from 'node-llama-cpp'

/**
 * The same model by `node-llama-cpp` alone, in a process of its own: what the engine is measured against. Prints one
 * line of JSON.
 */
interface Job {
  readonly file: string
  readonly callers: number
  readonly tokens: number
  readonly contextSize: number
  readonly threads: number
  readonly prompts: readonly string[]
  readonly rounds: { readonly runningIn: number; readonly measured: number }
}

const job: Job = JSON.parse(process.env['BENCH_JOB'] ?? '')
const llama = await getLlama({ gpu: false, logLevel: LlamaLogLevel.error, build: 'never' })
const model = await llama.loadModel({ modelPath: job.file })
const context = await model.createContext({
  sequences: job.callers,
  contextSize: job.contextSize,
  // A small model is fastest on one thread, which the engine knows and the library does not.
  threads: job.threads,
})
const sequences = Array.from({ length: job.callers }, () => context.getSequence())
// An answer of one long JSON text goes on to its last token, so that everybody does the same work.
const grammar = await llama.createGrammar({
  grammar: String.raw`root ::= "\"" letter{1000} "\""
letter ::= [^"\\\x7F\x00-\x1F] | "\\" (["\\/bfnrt] | "u" [0-9a-fA-F]{4})`,
})

const prompts = job.prompts.map((prompt) => model.tokenize(prompt, true))
for (let ran = 0; ran < job.rounds.runningIn; ran++) await round(job.tokens)
const startedAt = performance.now()
let tokens = 0
for (let ran = 0; ran < job.rounds.measured; ran++) tokens += await round(job.tokens)
const seconds = (performance.now() - startedAt) / 1000
console.log(JSON.stringify({ tokens, seconds, prompt: prompts[0]?.length }))
await llama.dispose()

async function round(most: number): Promise<number> {
  const counts = await Promise.all(
    sequences.map(async (sequence, caller) => {
      await sequence.clearHistory()
      const prompt = prompts[caller % prompts.length] ?? []
      const grammarEvaluationState = new LlamaGrammarEvaluationState({ model, grammar })
      const options = { temperature: 0, grammarEvaluationState }
      let count = 0
      for await (const _token of sequence.evaluate(prompt, options)) if (++count >= most) break
      return count
    }),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}
