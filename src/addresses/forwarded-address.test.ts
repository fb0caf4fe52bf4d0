import { describe, expect, test } from 'bun:test'
import { isIP } from 'node:net'

import fc from 'fast-check'

import { type ForwardingHeader, forwardedAddress, hasPassedProxy } from './forwarded-address.ts'
import { liesIn } from './networks.ts'

const proxies = ['10.0.0.0/8', 'fd00::/8']

function seen(value: string, header: ForwardingHeader = 'x-forwarded-for', peer = '10.0.0.1') {
  return forwardedAddress(peer, new Headers({ [header]: value }), { proxies, header })
}

describe('who asks behind a proxy that is believed', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    [' 192.0.2.7 ', '192.0.2.7'],
    ['192.0.2.7:4711', '192.0.2.7'],
    ['2001:db8::7', '2001:db8::7'],
    ['2001:DB8:0:0::7', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['[2001:db8::7]:4711', '2001:db8::7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['[::FFFF:192.0.2.7]:1', '192.0.2.7'],
    ['fe80::1%eth0', 'fe80::1'],
    ['0:0:0::0:0.0.0.1', '::1'],
    ['::192.0.2.7', '::c000:207'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:3:4:5:6'],
    ['192.0.2.7, 10.0.0.9', '192.0.2.7'],
    ['192.0.2.7,10.0.0.9,fd00::1,10.1.1.1', '192.0.2.7'],
    ['10.0.0.9', '10.0.0.9'],
    ['', '10.0.0.1'],
  ])('x-forwarded-for: %s is %s', (value, address) => {
    expect(seen(value)).toBe(address)
  })

  test.each([
    ['for=192.0.2.7', '192.0.2.7'],
    ['For="192.0.2.7:4711";Proto=https;by=10.0.0.1', '192.0.2.7'],
    ['for="[2001:db8::7]:4711"', '2001:db8::7'],
    ['proto=http; for="[2001:db8::7]"', '2001:db8::7'],
    ['for=192.0.2.7, for=10.0.0.9', '192.0.2.7'],
    ['for=192.0.2.7;host="a:80", for=10.0.0.9;host=b', '192.0.2.7'],
  ])('forwarded: %s is %s', (value, address) => {
    expect(seen(value, 'forwarded')).toBe(address)
  })
})

describe('what a caller writes itself is not believed', () => {
  test.each([
    ['10.9.9.9, 192.0.2.7', '192.0.2.7'],
    ['127.0.0.1, 10.9.9.9, 192.0.2.7, 10.0.0.9', '192.0.2.7'],
    ['", 192.0.2.7', '192.0.2.7'],
    [`${'9'.repeat(10_000)}, 192.0.2.7`, '192.0.2.7'],
    [`${'10.9.9.9, '.repeat(1200)}192.0.2.7`, '192.0.2.7'],
  ])('x-forwarded-for %#', (value, address) => {
    expect(seen(value)).toBe(address)
  })

  test.each([
    ['for=10.9.9.9, for=192.0.2.7', '192.0.2.7'],
    ['for=", for=192.0.2.7', '192.0.2.7'],
    ['for="10.9.9.9, for=192.0.2.7', '192.0.2.7'],
  ])('forwarded: %s', (value, address) => {
    expect(seen(value, 'forwarded')).toBe(address)
  })

  test('nor by anybody who is no such proxy, nor in the header that those do not write', () => {
    expect(seen('10.9.9.9', 'x-forwarded-for', '192.0.2.7')).toBe('192.0.2.7')
    const headers = new Headers({ forwarded: 'for=10.9.9.9', 'x-forwarded-for': '192.0.2.7' })
    const trust = { proxies, header: 'x-forwarded-for' } as const
    expect(forwardedAddress('10.0.0.1', headers, trust)).toBe('192.0.2.7')
    expect(forwardedAddress('10.0.0.1', headers, { ...trust, proxies: [] })).toBe('10.0.0.1')
    expect(forwardedAddress(undefined, headers, trust)).toBeUndefined()
    expect(forwardedAddress('::ffff:10.0.0.1', headers, trust)).toBe('192.0.2.7')
  })
})

describe('what is no address is nobody', () => {
  test.each([
    'unknown',
    '_hidden',
    '192.0.2',
    '192.0.2.7:',
    '192.0.2.7:123456',
    '192.0.2.256',
    '192.0.2.7:80:80',
    '[192.0.2.7]',
    '[::1',
    '::1]',
    '2001:db8::7::1',
    '192.0.2.7 10.0.0.1',
    'localhost',
    ',',
    '192.0.2.7,',
    `${'10.0.0.9, '.repeat(40)}10.0.0.9`,
    '1'.repeat(10_000),
  ])('x-forwarded-for: %p', (value) => {
    expect(seen(value)).toBeUndefined()
  })

  test.each([
    'for=unknown',
    'for=_hidden',
    'for=',
    'for',
    'by=10.0.0.9',
    'for=192.0.2.7;for=10.0.0.9',
    'for=192.0.2.7;;proto=http',
    'for=[2001:db8::7]',
    'for="192.0.2.7',
    'for="192.0.2.7";host="a\\""',
    'for=192.0.2.7 for=10.0.0.9',
    // A host that holds a comma is cut there; what comes after it is no element.
    'for=192.0.2.7;host="x, for=10.0.0.9;a=""',
  ])('forwarded: %s', (value) => {
    expect(seen(value, 'forwarded')).toBeUndefined()
  })
})

test('the whole of a header that anybody wrote never moves the address that the proxy wrote', () => {
  const letter = fc.constantFrom(...'",;:=.%[]\\ 0159af'.split(''), 'for=', '10.0.0.9', '::1', 'é')
  const junk = fc.array(letter, { maxLength: 60 }).map((letters) => letters.join(''))
  const headers = fc.constantFrom<ForwardingHeader>('x-forwarded-for', 'forwarded')
  const stub = (header: ForwardingHeader, value: string) =>
    forwardedAddress('10.0.0.1', { get: () => value }, { proxies, header })
  fc.assert(
    fc.property(junk, headers, (written, header) => {
      const own = header === 'forwarded' ? 'for=192.0.2.7;proto=https' : '192.0.2.7'
      expect(stub(header, `${written}, ${own}`)).toBe('192.0.2.7')
      const alone = stub(header, written)
      if (alone !== undefined) expect(isIP(alone)).not.toBe(0)
    }),
    { numRuns: 3000 },
  )
})

test('an address that is given is one that networks know', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
      const plain = seen(address)
      expect(plain).toBeDefined()
      expect(liesIn([address], plain ?? '')).toBe(true)
    }),
  )
})

test('a proxy shows itself by any of its headers', () => {
  expect(hasPassedProxy(new Headers({ host: 'localhost' }))).toBe(false)
  for (const name of ['Via', 'X-Forwarded-For', 'Forwarded', 'X-Real-IP'])
    expect(hasPassedProxy(new Headers({ [name]: 'x' }))).toBe(true)
})
