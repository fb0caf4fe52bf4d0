import { Badge, Code, Spinner, Text } from '@radix-ui/themes'

import { AnswerFacts } from './answer-facts.tsx'
import type { AnswerTurn, Turn, UserTurn } from './conversation.ts'
import { prettyJson } from './pretty-json.ts'

/** One turn of a conversation. Everything is shown as text, whatever it looks like. */
export function TurnView({ turn }: { readonly turn: Turn }) {
  switch (turn.type) {
    case 'user':
      return <UserView turn={turn} />
    case 'answer':
      return <AnswerView turn={turn} />
    case 'results':
      return (
        <li className="play-turn play-user">
          <Speaker name="Tools" />
          {turn.results.map(({ callId, text }) => (
            <pre key={callId} className="play-text play-code">
              {text}
            </pre>
          ))}
        </li>
      )
    default:
      return turn satisfies never
  }
}

function Speaker({ name }: { readonly name: string }) {
  return (
    <Text as="div" size="1" weight="medium" color="gray">
      {name}
    </Text>
  )
}

function UserView({ turn }: { readonly turn: UserTurn }) {
  return (
    <li className="play-turn play-user">
      <Speaker name="You" />
      {turn.pictures.map(({ mediaType, base64 }, index) => (
        <img
          // The same picture may be there twice.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          className="play-picture"
          src={`data:${mediaType};base64,${base64}`}
          alt={`What was attached: picture ${index + 1}`}
        />
      ))}
      <div className="play-text">{turn.text}</div>
    </li>
  )
}

function AnswerView({ turn }: { readonly turn: AnswerTurn }) {
  const { state, text, reasoning, calls, problem } = turn
  const isSilent = text === '' && reasoning === '' && calls.length === 0
  return (
    <li className="play-turn" aria-busy={state === 'under way'}>
      <Speaker name="Model" />
      {reasoning !== '' && (
        <details className="play-reasoning">
          <summary>Reasoning</summary>
          <div className="play-text">{reasoning}</div>
        </details>
      )}
      {text !== '' && <div className="play-text">{text}</div>}
      {calls.map(({ id, name, input }) => (
        <div key={id} className="play-call">
          <Text size="2">
            Calls <Code>{name}</Code>
          </Text>
          <pre className="play-text play-code">{prettyJson(input)}</pre>
        </div>
      ))}
      {isSilent && state === 'under way' && <Spinner />}
      {problem !== undefined && (
        <Text as="p" size="2" color="red" role="alert" className="play-problem">
          {problem}
        </Text>
      )}
      {state === 'stopped' && <Badge color="amber">stopped</Badge>}
      {state !== 'under way' && <AnswerFacts turn={turn} />}
    </li>
  )
}
