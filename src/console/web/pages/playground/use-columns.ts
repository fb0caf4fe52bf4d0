import { useCallback, useEffect, useReducer, useRef } from 'react'

import { askModel } from './ask-model.ts'
import {
  type AnswerTurn,
  type Column,
  type Picture,
  type Setting,
  type ToolResult,
  type Turn,
  unheard,
} from './conversation.ts'
import { wordsOf } from './words.ts'

/** What can be done with the models that are tried. */
export interface Columns {
  readonly columns: readonly Column[]
  readonly isBusy: boolean
  readonly change: (id: number, change: Partial<Pick<Column, 'protocol' | 'model'>>) => void
  readonly add: (column: Pick<Column, 'protocol' | 'model'>) => void
  readonly remove: (id: number) => void
  /** Says something to every model. */
  readonly say: (text: string, pictures: readonly Picture[], asking: Asking) => void
  /** Tells one model what its tools gave. */
  readonly giveResults: (id: number, results: readonly ToolResult[], asking: Asking) => void
  readonly stop: () => void
  readonly clear: () => void
}

export interface Asking {
  readonly setting: Setting
  readonly projectId: string
}

/** The columns of the playground, and the requests that are under way. */
export function useColumns(first: Pick<Column, 'protocol' | 'model'>): Columns {
  const [columns, act] = useReducer(columnsAfter, [{ id: 0, turns: [], ...first }])
  const running = useRef<AbortController | undefined>(undefined)
  const stop = useCallback(() => running.current?.abort(), [])
  // Whoever leaves the page has no use for the rest of the answers.
  useEffect(() => stop, [stop])

  const run = ({ id, protocol, model }: Column, turns: readonly Turn[], asking: Asking): void => {
    if (running.current === undefined || running.current.signal.aborted)
      running.current = new AbortController()
    const { signal } = running.current
    act({ type: 'turns', id, turns: [...turns, unheard] })
    const body = wordsOf[protocol].bodyOf(model, asking.setting, turns)
    const question = { protocol, projectId: asking.projectId, body, signal }
    const follow = async (): Promise<void> => {
      for await (const answer of askModel(question)) act({ type: 'answer', id, answer })
    }
    void follow()
  }

  return {
    columns,
    isBusy: columns.some(isUnderWay),
    change: (id, change) => act({ type: 'change', id, change }),
    add: (column) => act({ type: 'add', column }),
    remove: (id) => act({ type: 'remove', id }),
    say(text, pictures, asking) {
      for (const column of columns)
        run(column, [...column.turns, { type: 'user', text, pictures }], asking)
    },
    giveResults(id, results, asking) {
      const column = columns.find((one) => one.id === id)
      if (column !== undefined) run(column, [...column.turns, { type: 'results', results }], asking)
    },
    stop,
    clear() {
      stop()
      act({ type: 'clear' })
    },
  }
}

function isUnderWay({ turns }: Column): boolean {
  const last = turns.at(-1)
  return last?.type === 'answer' && last.state === 'under way'
}

type Act =
  | { type: 'change'; id: number; change: Partial<Pick<Column, 'protocol' | 'model'>> }
  | { type: 'add'; column: Pick<Column, 'protocol' | 'model'> }
  | { type: 'remove'; id: number }
  | { type: 'turns'; id: number; turns: readonly Turn[] }
  | { type: 'answer'; id: number; answer: AnswerTurn }
  | { type: 'clear' }

function columnsAfter(columns: readonly Column[], act: Act): readonly Column[] {
  switch (act.type) {
    case 'change':
      return columns.map((one) => (one.id === act.id ? { ...one, ...act.change } : one))
    case 'add':
      return [...columns, { ...act.column, id: freshId(columns), turns: [] }]
    case 'remove':
      return columns.filter(({ id }) => id !== act.id)
    case 'turns':
      return columns.map((one) => (one.id === act.id ? { ...one, turns: act.turns } : one))
    case 'answer':
      return columns.map((one) => (one.id === act.id ? answered(one, act.answer) : one))
    case 'clear':
      return columns.map((one) => ({ ...one, turns: [] }))
    default:
      return act satisfies never
  }
}

/** What comes after the conversation was cleared belongs to none. */
function answered(column: Column, answer: AnswerTurn): Column {
  if (column.turns.at(-1)?.type !== 'answer') return column
  return { ...column, turns: [...column.turns.slice(0, -1), answer] }
}

function freshId(columns: readonly Column[]): number {
  return Math.max(-1, ...columns.map(({ id }) => id)) + 1
}
