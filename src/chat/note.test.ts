import { describe, expect, test } from 'bun:test'

import { GatewayError } from './error.ts'
import { type Note, addNote, Notes } from './note.ts'

describe('what a translation adapted', () => {
  test('is noted once, however often it is said', () => {
    const notes = new Notes()
    for (let at = 0; at < 1000; at++) notes.add('seed', 'dropped')
    expect(notes.list).toEqual([{ field: 'seed', what: 'dropped' }])
  })

  test('is a refusal in strict mode', () => {
    const strict = new Notes(true)
    expect(() => strict.add('seed', 'dropped')).toThrow(GatewayError)
  })

  test('is told of a hundred places, and of the others that there are more', () => {
    const notes = new Notes()
    for (let at = 0; at < 250_000; at++) notes.add(`messages[${at}].name`, 'dropped')
    expect(notes.list).toHaveLength(101)
    expect(notes.list.at(-1)).toEqual({ field: '...', what: 'more was adapted' })
  })

  test('has a field and a word of bounded length', () => {
    const notes: Note[] = []
    addNote(notes, { field: 'f'.repeat(10_000), what: 'w'.repeat(10_000) })
    addNote(notes, { field: 'f'.repeat(10_000), what: 'w'.repeat(10_000) })
    expect(notes).toEqual([{ field: `${'f'.repeat(128)}...`, what: `${'w'.repeat(256)}...` }])
  })

  test('is forgotten with the target that was given up, and may be noted again', () => {
    const notes = new Notes()
    notes.add('seed', 'dropped')
    notes.add('stop', 'dropped')
    notes.rewind(1)
    notes.add('stop', 'dropped')
    expect(notes.list.map(({ field }) => field)).toEqual(['seed', 'stop'])
  })
})
