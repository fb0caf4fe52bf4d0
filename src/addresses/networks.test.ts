import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { coversNetwork, liesIn } from './networks.ts'

describe('an address lies in a network', () => {
  test.each([
    ['10.1.2.3', ['10.0.0.0/8'], true],
    ['11.1.2.3', ['10.0.0.0/8'], false],
    ['10.1.2.3', ['192.0.2.0/24', '10.0.0.0/8'], true],
    ['192.0.2.7', ['192.0.2.7'], true],
    ['192.0.2.8', ['192.0.2.7'], false],
    ['8.8.8.8', ['0.0.0.0/0'], true],
    ['::1', ['0.0.0.0/0'], false],
    ['fd12:3456::1', ['fd00::/8'], true],
    ['fe80::1', ['fd00::/8'], false],
    ['FD12:0:0::1', ['fd12::/64'], true],
    ['::ffff:10.1.2.3', ['10.0.0.0/8'], true],
    ['::ffff:a01:203', ['10.0.0.0/8'], true],
    ['0:0:0:0:0:ffff:0a01:0203', ['10.0.0.0/8'], true],
    ['::ffff:11.1.2.3', ['10.0.0.0/8'], false],
    ['10.1.2.3', ['::ffff:10.0.0.0/104'], true],
    ['fe80::1%eth0', ['fe80::/10'], true],
    ['', ['0.0.0.0/0', '::/0'], false],
    ['unknown', ['0.0.0.0/0', '::/0'], false],
    ['10.1.2.3', ['10.0.0.5/8'], true],
  ] as const)('%s in %p: %p', (address, networks, lies) => {
    expect(liesIn(networks, address)).toBe(lies)
  })
})

describe('a network covers another', () => {
  test.each([
    ['10.0.0.0/8', '10.1.0.0/16', true],
    ['10.0.0.0/8', '10.0.0.0/8', true],
    ['10.0.0.0/8', '10.1.2.3', true],
    ['10.1.0.0/16', '10.0.0.0/8', false],
    ['10.0.0.0/8', '11.0.0.0/16', false],
    ['0.0.0.0/0', 'fd00::/8', false],
    ['fd00::/8', 'fd12::/64', true],
    ['192.0.2.7', '192.0.2.7/32', true],
  ])('%s covers %s: %p', (wide, narrow, covers) => {
    expect(coversNetwork(wide, narrow)).toBe(covers)
  })

  const network = fc.oneof(
    fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 })).map(([at, bits]) => `${at}/${bits}`),
    fc.tuple(fc.ipV6(), fc.integer({ min: 0, max: 128 })).map(([at, bits]) => `${at}/${bits}`),
  )
  // Near each other often enough that one covers the other and addresses lie in both.
  const near = fc
    .tuple(fc.nat(3), fc.nat(3), fc.constantFrom(0, 7, 8, 15, 16, 31, 32))
    .map(([a, b, bits]) => `10.${a}.0.${b}/${bits}`)
  const address = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.tuple(fc.nat(3), fc.nat(3)).map(([a, b]) => `10.${a}.0.${b}`),
    fc.tuple(fc.nat(3), fc.nat(3)).map(([a, b]) => `::ffff:10.${a}.0.${b}`),
  )

  test('only if every address of that one lies in it', () => {
    let covered = 0
    const any = fc.oneof(near, network)
    fc.assert(
      fc.property(any, any, address, (wide, narrow, at) => {
        if (!coversNetwork(wide, narrow) || !liesIn([narrow], at)) return
        covered += 1
        expect(liesIn([wide], at)).toBe(true)
      }),
      { numRuns: 5000 },
    )
    expect(covered).toBeGreaterThan(50)
  })
})
