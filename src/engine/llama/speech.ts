import type {
  LlamaContextSequence,
  LlamaGrammar,
  LlamaGrammarEvaluationState,
  SequenceEvaluateOptions,
  Token,
} from 'node-llama-cpp'

import type { ChatEvent, StopReason, TokenLogprob } from '#chat/event.ts'
import type { Usage } from '#chat/usage.ts'
import { callableTools } from '#engine/grammars/grammar-of.ts'
import {
  type AnswerReading,
  endAnswer,
  readAnswer,
  readPiece,
} from '#engine/templates/answer-reader.ts'

import type { ChatModel } from './chat-model.ts'
import type { Listener, Run } from './generate.ts'
import { likelihoods } from './likelihoods.ts'
import type { Sampling } from './sampling-of.ts'
import { flushTokens, textOfToken, type TextStream } from './token-text.ts'
import { asToken } from './vocabulary.ts'

/** What a sequence goes on with. */
export interface Beginning {
  readonly listener: Listener
  /** The end of the prompt, which the sequence has not read yet. */
  readonly rest: Token[]
  readonly input: Usage
}

/** Says an answer token by token, from the end of the prompt to `answer-end`. Ends early if nobody listens. */
export async function speak(
  run: Run,
  sequence: LlamaContextSequence,
  beginning: Beginning,
): Promise<void> {
  const speech = startSpeech(run, beginning)
  const tokens = sequence.evaluateWithMetadata(
    beginning.rest,
    { probabilities: run.conversation.logprobs !== undefined },
    optionsOf(run, speech),
  )
  let reason: StopReason | undefined
  try {
    while (reason === undefined) {
      const { pause } = run.model.together
      if (pause !== undefined) await pause.promise
      const next = speech.output < run.most ? await tokens.next(speech.instead) : undefined
      if (beginning.listener.isAborted()) return
      if (next === undefined) reason = run.endOfRoom
      else if (next.done === true) reason = speech.reading.hasCalled ? 'tool-use' : 'end'
      else reason = hear(speech, next.value)
      if (reason === undefined) tell(speech)
    }
  } finally {
    await tokens.return()
  }
  endSpeech(speech, reason)
}

/** An answer that is being said. */
interface Speech {
  readonly run: Run
  readonly beginning: Beginning
  readonly reading: AnswerReading
  readonly text: TextStream
  readonly said: Token[]
  output: number
  reasoning: number
  /** What holds the next token, and what is read in place of the last one. */
  grammar: LlamaGrammarEvaluationState | undefined
  instead: Token[] | undefined
}

function startSpeech(run: Run, beginning: Beginning): Speech {
  const { model, conversation, prompt, held } = run
  const callable = callableTools(conversation).map(({ name }) => name)
  const reading = readAnswer({
    thinking: prompt.thinking,
    thought: model.template.thought,
    callable,
    holdsAtMark: held.afterMark !== undefined,
    isHeld: held.always !== undefined,
    isContinued: prompt.isContinued,
    stop: conversation.stop,
    ...(callable.length > 0 ? { calls: model.template.calls } : {}),
  })
  return {
    run,
    beginning,
    reading,
    text: { texts: model.texts, pending: [] },
    said: [],
    output: 0,
    reasoning: 0,
    grammar: stateOf(run, run.always),
    instead: undefined,
  }
}

/** A token and, if they were asked for, the probabilities that it was drawn from. */
interface Drawn {
  readonly token: Token
  readonly probabilities?: ReadonlyMap<Token, number>
}

/** Takes the next token; gives the reason if the answer ends with it. */
function hear(speech: Speech, drawn: Drawn): StopReason | undefined {
  const { run, reading } = speech
  speech.instead = undefined
  speech.output++
  speech.said.push(drawn.token)
  if (reading.phase === 'thought') speech.reasoning++
  const piece = textOfToken(speech.text, drawn.token)
  const { isStopped, afterMark } = readPiece(reading, piece, scoreOf(run, drawn, piece))
  if (isStopped) return 'stop-sequence'
  if (afterMark !== undefined && run.afterMark !== undefined) {
    speech.grammar = stateOf(run, run.afterMark)
    speech.instead = upToMark(run.model, piece, afterMark)
  }
  return undefined
}

function scoreOf(
  { model, conversation }: Run,
  { token, probabilities }: Drawn,
  text: string,
): TokenLogprob | undefined {
  if (probabilities === undefined) return undefined
  return likelihoods(model, token, { text, probabilities, top: conversation.logprobs?.top ?? 0 })
}

/** The token that said the mark and more, without the more: what follows is said under the grammar. */
function upToMark({ model }: ChatModel, piece: string, after: string): Token[] | undefined {
  if (after === '') return undefined
  return model.tokenize(piece.slice(0, piece.length - after.length), true)
}

function tell(
  { beginning, reading, output, reasoning }: Speech,
  last: readonly ChatEvent[] = [],
): void {
  const usage = { ...beginning.input, output, ...(reasoning > 0 ? { reasoning } : {}) }
  beginning.listener.tell([...reading.events.splice(0), { type: 'usage', usage }, ...last])
}

function endSpeech(speech: Speech, reason: StopReason): void {
  const { reading, text } = speech
  if (reading.phase !== 'stopped') {
    readPiece(reading, flushTokens(text))
    endAnswer(reading)
  }
  const { stopSequence } = reading
  tell(speech, [
    { type: 'answer-end', reason, ...(stopSequence === undefined ? {} : { stopSequence }) },
  ])
}

function stateOf(
  { model }: Run,
  grammar: LlamaGrammar | undefined,
): LlamaGrammarEvaluationState | undefined {
  if (grammar === undefined) return undefined
  return new model.library.LlamaGrammarEvaluationState({ model: model.model, grammar })
}

function optionsOf({ model, sampling }: Run, speech: Speech): SequenceEvaluateOptions {
  const { frequencyPenalty, presencePenalty, bias, ...options } = sampling
  const isPenalised = frequencyPenalty !== 0 || presencePenalty !== 0
  const repeatPenalty = {
    punishTokens: () => speech.said,
    maxPunishTokens: model.contextSize,
    penalty: 1,
    frequencyPenalty,
    presencePenalty,
  }
  return {
    ...options,
    grammarEvaluationState: () => speech.grammar,
    ...(bias.size > 0 ? { tokenBias: biasOf(model, bias) } : {}),
    ...(isPenalised ? { repeatPenalty } : {}),
  }
}

function biasOf({ library, model }: ChatModel, bias: Sampling['bias']) {
  const tokens = library.TokenBias.for(model)
  for (const [token, logit] of bias) tokens.set(asToken(token), { logit })
  return tokens
}
