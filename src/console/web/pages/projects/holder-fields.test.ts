import { describe, expect, test } from 'bun:test'

import { fieldsOfHolder, newHolder, readHolderChange, readProjectOrder } from './holder-fields.ts'

const research = { name: 'research', policy: { concurrency: 20, tags: { team: 'a' } } }

describe('a change of a project', () => {
  test('is nothing where nothing was changed', () => {
    expect(readHolderChange(research, fieldsOfHolder(research))).toEqual({ type: 'body', body: {} })
  })

  test('names what is other, and null for what is taken away', () => {
    const fields = fieldsOfHolder(research)
    const policy = { ...fields.policy, concurrency: '', tags: [{ name: 'team', value: 'b' }] }
    expect(readHolderChange(research, { name: ' labs ', policy })).toEqual({
      type: 'body',
      body: { name: 'labs', policy: { concurrency: null, tags: { team: 'b' } } },
    })
  })
})

describe('a new project', () => {
  test('has a name, and a policy if it says anything', () => {
    const fields = { ...fieldsOfHolder(newHolder), name: 'labs' }
    expect(readProjectOrder(fields)).toEqual({ type: 'body', body: { name: 'labs' } })
    const policy = { ...fields.policy, maxTokens: '100' }
    expect(readProjectOrder({ ...fields, policy })).toEqual({
      type: 'body',
      body: { name: 'labs', policy: { maxTokens: 100 } },
    })
  })

  test('has all that is wrong told at once', () => {
    const fields = fieldsOfHolder(newHolder)
    const read = readProjectOrder({ ...fields, policy: { ...fields.policy, maxTokens: 'x' } })
    expect(read.type === 'problems' && Object.keys(read.problems)).toEqual(['name', 'maxTokens'])
  })
})
