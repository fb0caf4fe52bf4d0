import { expect, test } from 'bun:test'

import { ConsoleProblem } from '#console/web/api/console-problem.ts'

import { fieldProblem } from './form-problems.ts'

const isField = (name: string) => ['name', 'models', 'rates.tokensPerDay', 'tags'].includes(name)

const refusal = (param: string | undefined, message = 'no good.') =>
  new ConsoleProblem(message, { code: 'request-invalid', status: 400, param })

test.each([
  ['name', 'name'],
  ['policy.models.2', 'models'],
  ['models', 'models'],
  ['policy.rates.tokensPerDay', 'rates.tokensPerDay'],
  ['rates.tokensPerDay', 'rates.tokensPerDay'],
  ['tags.some.thing', 'tags'],
])('a refusal of %p is about the field %p', (param, field) => {
  expect(fieldProblem(refusal(param), isField)).toEqual({ [field]: 'No good.' })
})

test('a refusal of something else is about none', () => {
  expect(fieldProblem(refusal('budgets.0'), isField)).toBeUndefined()
  expect(fieldProblem(refusal(undefined), isField)).toBeUndefined()
  expect(fieldProblem(new Error('x'), isField)).toBeUndefined()
})

test('a message does not say the name of the field again', () => {
  const error = refusal('models', 'models: gpt-* is not within what the project allows.')
  expect(fieldProblem(error, isField)).toEqual({
    models: 'Gpt-* is not within what the project allows.',
  })
})
