import { describe, expect, test } from 'bun:test'

import {
  fieldsOfUser,
  newUserFields,
  readUserChange,
  readUserOrder,
  type User,
} from './user-fields.ts'

const yourPassword = 'correct horse battery'
const bob: User = {
  id: 'u',
  name: 'bob',
  role: 'operator',
  projects: ['p', 'q'],
  createdAt: 0,
  disabledAt: null,
}

describe('a new user', () => {
  const fields = { ...newUserFields, name: ' bob ', password: 'four words are fine', yourPassword }

  test('is bound to what was chosen, or to nothing', () => {
    expect(readUserOrder({ ...fields, projects: ['p'] })).toMatchObject({
      body: { name: 'bob', role: 'viewer', projects: null },
    })
    expect(readUserOrder({ ...fields, isBound: true, projects: ['p'] })).toMatchObject({
      body: { projects: ['p'] },
    })
  })

  test('that is an administrator is bound to none, whatever was chosen before', () => {
    const admin = { ...fields, role: 'admin' as const, isBound: true, projects: ['p'] }
    expect(readUserOrder(admin)).toMatchObject({ body: { projects: null } })
  })

  test('has all that is missing told at once', () => {
    const read = readUserOrder(newUserFields)
    expect(read.type === 'problems' && Object.keys(read.problems).toSorted()).toEqual([
      'name',
      'password',
      'yourPassword',
    ])
  })
})

describe('a change of a user', () => {
  test('says nothing of what stays, in whatever order the projects were chosen', () => {
    const fields = { ...fieldsOfUser(bob), projects: ['q', 'p'], yourPassword }
    expect(readUserChange(bob, fields)).toEqual({ type: 'body', body: { yourPassword } })
  })

  test('says what is other', () => {
    const fields = {
      ...fieldsOfUser(bob),
      role: 'viewer',
      isBound: false,
      isDisabled: true,
    } as const
    expect(readUserChange(bob, { ...fields, yourPassword })).toEqual({
      type: 'body',
      body: { role: 'viewer', projects: null, isDisabled: true, yourPassword },
    })
  })
})
