import { useCallback, useEffect, useRef, useState } from 'react'

import { type FieldProblems, fieldProblem } from './form-problems.ts'
import { useDraft } from './use-draft.ts'

/** What somebody is typing, and what is wrong with it. */
export interface Form<Fields> {
  readonly fields: Fields
  /** Whether something was typed that is not saved. */
  readonly isDirty: boolean
  readonly isBusy: boolean
  readonly problems: FieldProblems
  /** Why the gateway refused it, where that is about no field. */
  readonly failure: unknown
  readonly change: (change: Partial<Fields>) => void
  /** Shows what is wrong, and takes the first such field into view. */
  readonly tell: (problems: FieldProblems) => void
  /** Sends it. What was typed stays whatever comes of it. Gives what `send` gave, or undefined if that failed. */
  readonly save: <Result>(send: () => Promise<Result>) => Promise<Result | undefined>
  /** Asked when somebody is about to leave: not what was shown last, but how it is now. */
  readonly hasUnsaved: () => boolean
  /** Whether it begins with what was typed before the session ended. */
  readonly isRestored: boolean
  /** Gives up what was typed. */
  readonly discard: () => void
}

export interface FormOptions<Fields> {
  readonly initial: Fields
  /** Whether a name that the API gives to a field is one of this form's. */
  readonly isField: (name: string) => boolean
  /** Whether what was typed is to be there again after signing in again. Passwords never are. */
  readonly keepsDraft?: boolean
}

/** The state of a form whose fields are one value. */
export function useForm<Fields extends object>(options: FormOptions<Fields>): Form<Fields> {
  const { initial, isField, keepsDraft = false } = options
  const draft = useDraft<Fields>(keepsDraft)
  const [saved, setSaved] = useState(initial)
  const [fields, setFields] = useState(() => ({ ...initial, ...draft.found }))
  const [outcome, setOutcome] = useState<Outcome>(untold)
  const [isBusy, setBusy] = useState(false)
  const isDirty = JSON.stringify(fields) !== JSON.stringify(saved)
  const unsaved = useRef(false)
  useEffect(() => {
    unsaved.current = isDirty
    if (isDirty) draft.keep(fields)
    else draft.forget()
  }, [isDirty, fields, draft])
  const change = useCallback((part: Partial<Fields>) => {
    setFields((former) => ({ ...former, ...part }))
  }, [])
  const discard = (): void => {
    unsaved.current = false
    draft.forget()
  }
  const tell = (problems: FieldProblems): void => {
    setOutcome({ problems, failure: undefined })
    focusFirstProblem()
  }
  const save = async <Result>(send: () => Promise<Result>): Promise<Result | undefined> => {
    setBusy(true)
    setOutcome(untold)
    try {
      const result = await send()
      discard()
      setSaved(fields)
      return result
    } catch (error) {
      const problems = fieldProblem(error, isField)
      setOutcome(problems === undefined ? { ...untold, failure: error } : { ...untold, problems })
      focusFirstProblem()
      return undefined
    } finally {
      setBusy(false)
    }
  }
  const hasUnsaved = useCallback(() => unsaved.current, [])
  const isRestored = draft.found !== undefined
  const acts = { change, tell, save, hasUnsaved, discard }
  return { fields, isDirty, isBusy, isRestored, ...outcome, ...acts }
}

interface Outcome {
  readonly problems: FieldProblems
  readonly failure: unknown
}

const untold: Outcome = { problems: {}, failure: undefined }

/** After the next drawing, when what is wrong is marked. */
function focusFirstProblem(): void {
  requestAnimationFrame(() => {
    const found = document.querySelector<HTMLElement>(
      'form [aria-invalid="true"], form [data-invalid="true"], form [role="alert"]',
    )
    found?.focus()
    found?.scrollIntoView({ block: 'center' })
  })
}
