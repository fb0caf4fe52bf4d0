import { expect, test } from 'bun:test'

import { Guesses } from './guesses.ts'

function guesses() {
  const clock = { now: 1_000_000 }
  const all = new Guesses({ now: () => clock.now })
  const wait = (address: string) => all.waitOf(() => address)
  const guess = (address: string, times: number) => {
    for (let at = 0; at < times; at++) all.note(address)
  }
  return { clock, wait, guess, all }
}

test('twenty wrong keys a minute may come from an address, and others do not suffer for it', () => {
  const { clock, wait, guess } = guesses()
  guess('10.0.0.1', 19)
  expect(wait('10.0.0.1')).toBe(0)
  guess('10.0.0.1', 1)
  expect(wait('10.0.0.1')).toBe(3)
  expect(wait('10.0.0.2')).toBe(0)
  clock.now += 3000
  expect(wait('10.0.0.1')).toBe(0)
})

test('who goes on all the same waits a little longer, and no more than that', () => {
  const { clock, wait, guess } = guesses()
  guess('10.0.0.1', 1000)
  expect(wait('10.0.0.1')).toBe(6)
  clock.now += 60_000
  expect(wait('10.0.0.1')).toBe(0)
})

test('an address of the sixth version stands for its whole /64', () => {
  const { wait, guess } = guesses()
  guess('2001:db8::1', 20)
  expect(wait('2001:db8:0:0:1:2:3:4')).toBe(3)
  expect(wait('2001:db8:0:1::1')).toBe(0)
  expect(wait('::1')).toBe(0)
})

test('nobody has to be asked for an address while nobody guesses', () => {
  const { all } = guesses()
  expect(
    all.waitOf(() => {
      throw new Error('asked')
    }),
  ).toBe(0)
})
