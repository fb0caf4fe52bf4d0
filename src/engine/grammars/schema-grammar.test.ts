import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'
import { getLlama, LlamaLogLevel } from 'node-llama-cpp'

import { GatewayError } from '#chat/error.ts'

import { grammarText } from './grammar-text.ts'
import { addSchema } from './schema-grammar.ts'

const llama = await getLlama({ gpu: false, build: 'never', logLevel: LlamaLogLevel.disabled })

function compile(schema: unknown) {
  const rules = new Map<string, string>()
  const loose = new Set<string>()
  const size = { pieces: 0, characters: 0 }
  rules.set('root', addSchema(schema, { rules, loose, size, param: 'response_format' }, 's'))
  return { text: grammarText(rules), loose: [...loose] }
}

/** llama.cpp's own judgement of which texts a grammar lets through. */
async function judge(schema: unknown): Promise<(text: string) => boolean> {
  const grammar = await llama.createGrammar({ grammar: compile(schema).text })
  const inner = grammar as unknown as { _testText(text: string): boolean }
  return (text) => inner._testText(text)
}

const text = { type: 'string' }
const abc = { type: 'object', properties: { a: text, b: text, c: text } }

const rows: [string, unknown, unknown[], unknown[]][] = [
  ['anything', {}, [1, 'a', null, [{}], { a: [1.5e3] }], []],
  ['text', text, ['', 'a"\\\n\u00e9'], [1, null]],
  [
    'text of some length',
    { type: 'string', minLength: 2, maxLength: 3 },
    ['ab', 'abc'],
    ['a', 'abcd'],
  ],
  ['whole numbers', { type: 'integer' }, [0, -12, 99], [1.5, '1']],
  [
    'whole numbers within limits',
    { type: 'integer', minimum: -5, maximum: 120 },
    [-5, -1, 0, 7, 99, 100, 119, 120],
    [-6, 121, 1000],
  ],
  [
    'whole numbers above a limit',
    { type: 'integer', exclusiveMinimum: 17 },
    [18, 20, 99, 100, 12345],
    [17, 9, -18],
  ],
  [
    'whole numbers above the higher of two limits',
    { type: 'integer', minimum: 10, exclusiveMinimum: 0 },
    [10, 11],
    [1, 9],
  ],
  [
    'whole numbers below the lower of two limits',
    { type: 'integer', maximum: 10, exclusiveMaximum: 8 },
    [7, -1],
    [8, 10],
  ],
  ['numbers', { type: 'number' }, [0, -1.5, 1e21], ['1']],
  ['several types', { type: ['integer', 'null'] }, [1, null], ['a']],
  [
    'one of some values',
    { enum: ['a', 1, null, { b: [1] }] },
    ['a', 1, null, { b: [1] }],
    ['b', 2],
  ],
  ['one value', { const: 'x"y' }, ['x"y'], ['x']],
  ['alternatives', { anyOf: [text, { type: 'integer' }] }, ['a', 1], [true]],
  [
    'properties that may be left out',
    abc,
    [{}, { a: '' }, { b: '' }, { a: '', c: '' }, { a: '', b: '', c: '' }],
    [{ d: '' }, { a: 1 }],
  ],
  [
    'properties that may not',
    { ...abc, required: ['b'] },
    [{ b: '' }, { a: '', b: '' }, { b: '', c: '' }],
    [{}, { a: '' }, { c: '' }],
  ],
  [
    'all of them',
    { ...abc, required: ['a', 'b', 'c'] },
    [{ a: '', b: '', c: '' }],
    [{ a: '', b: '' }],
  ],
  [
    'a required one that is not described',
    { ...abc, required: ['z'] },
    [{ z: 1 }, { a: '', z: [] }],
    [{ a: '' }],
  ],
  ['any object', { type: 'object' }, [{}, { a: 1 }], [[]]],
  [
    'no object but the empty one',
    { type: 'object', additionalProperties: false },
    [{}],
    [{ a: 1 }],
  ],
  ['an object that lists no properties', { type: 'object', properties: {} }, [{}], [{ a: 1 }]],
  [
    'an object that lists none and is open',
    { type: 'object', properties: {}, additionalProperties: true },
    [{}, { a: 1 }],
    [[]],
  ],
  [
    'a map',
    { type: 'object', additionalProperties: { type: 'integer' } },
    [{}, { a: 1, b: 2 }],
    [{ a: '' }],
  ],
  ['a list', { type: 'array', items: text }, [[], ['a'], ['a', 'b']], [[1]]],
  [
    'a list of some length',
    { type: 'array', items: text, minItems: 1, maxItems: 2 },
    [['a'], ['a', 'b']],
    [[], ['a', 'b', 'c']],
  ],
  ['an empty list', { type: 'array', maxItems: 0 }, [[]], [[1]]],
  [
    'a tuple',
    { type: 'array', prefixItems: [text, { type: 'integer' }] },
    [['a', 1]],
    [['a'], [1, 'a']],
  ],
  [
    'a tuple that has to be longer than what it names',
    { prefixItems: [text], items: { type: 'number' }, minItems: 3, maxItems: 4 },
    [
      ['a', 1, 2],
      ['a', 1, 2, 3],
    ],
    [['a'], ['a', 1], ['a', 1, 'b'], ['a', 1, 2, 3, 4]],
  ],
  [
    'a tuple of any more items',
    { prefixItems: [text], minItems: 2 },
    [
      ['a', 1],
      ['a', {}],
    ],
    [['a'], [1, 1]],
  ],
  [
    'a tuple as older drafts have it',
    { items: [text, { type: 'integer' }], additionalItems: false, minItems: 2, maxItems: 2 },
    [['a', 1]],
    [['a'], ['a', 'b'], ['a', 1, 2]],
  ],
  [
    'references',
    { $defs: { id: { type: 'integer' } }, type: 'array', items: { $ref: '#/$defs/id' } },
    [[1, 2]],
    [['a']],
  ],
  [
    'a reference with more beside it',
    {
      $defs: { a: { type: 'object', properties: { a: text }, required: ['a'] } },
      $ref: '#/$defs/a',
      properties: { b: text },
      required: ['b'],
    },
    [{ b: '', a: '' }],
    [{ a: '' }, { b: '' }],
  ],
  [
    'a reference with one value beside it',
    { $defs: { k: text }, $ref: '#/$defs/k', const: 'x' },
    ['x'],
    ['y'],
  ],
  [
    'a reference with a stricter limit beside it',
    { $defs: { k: { type: 'string', maxLength: 3 } }, $ref: '#/$defs/k', maxLength: 2 },
    ['yy'],
    ['yyy', 'yyyy'],
  ],
  [
    'a reference that may be null, to a list of such',
    { type: 'object', properties: { next: { $ref: '#', nullable: true } }, required: ['next'] },
    [{ next: null }, { next: { next: null } }],
    [{ next: {} }, { next: 1 }],
  ],
  [
    'a list of itself, with a limit beside the reference',
    {
      $defs: { k: { type: 'array', items: { $ref: '#/$defs/k', maxItems: 1 } } },
      $ref: '#/$defs/k',
    },
    [[], [[], []], [[[]]]],
    [[[[], []]], [1]],
  ],
  [
    'a tree',
    {
      type: 'object',
      properties: { kids: { type: 'array', items: { $ref: '#' } } },
      required: ['kids'],
    },
    [{ kids: [{ kids: [] }] }],
    [{ kids: [{}] }],
  ],
  [
    'parts of one object',
    {
      allOf: [
        { properties: { a: text }, required: ['a'] },
        { properties: { b: text }, required: ['b'] },
      ],
    },
    [{ a: '', b: '' }],
    [{ a: '' }],
  ],
  [
    'alternatives beside properties',
    {
      type: 'object',
      properties: { a: text },
      required: ['a'],
      anyOf: [
        { properties: { b: text }, required: ['b'] },
        { properties: { c: text }, required: ['c'] },
      ],
    },
    [
      { a: '', b: '' },
      { a: '', c: '' },
    ],
    [{ a: '' }],
  ],
  [
    'parts that refer and say more',
    { $defs: { b: abc }, allOf: [{ $ref: '#/$defs/b', required: ['a'] }, { required: ['c'] }] },
    [{ a: '', c: '' }],
    [{}, { a: '' }, { c: '' }],
  ],
  [
    'alternatives that refer and say more',
    { $defs: { b: abc }, type: 'object', anyOf: [{ $ref: '#/$defs/b', required: ['a'] }] },
    [{ a: '' }],
    [{}, { c: '' }],
  ],
  [
    'limits beside alternatives',
    { minimum: 1, maximum: 5, anyOf: [{ type: 'integer' }, { type: 'null' }] },
    [1, 5, null],
    [0, 99],
  ],
  [
    'alternatives of which one is of another type',
    { type: 'object', anyOf: [abc, { type: 'null' }, { const: 1 }] },
    [{}, { a: '' }],
    [null, 1],
  ],
  [
    'alternatives beside alternatives',
    {
      anyOf: [{ minLength: 3 }, { const: 'x' }],
      oneOf: [{ type: 'string' }, { type: 'string', maxLength: 1 }],
    },
    ['x', 'abc'],
    ['', 'y', 'ab', 1],
  ],
  [
    'types that meet',
    { allOf: [{ type: ['number', 'string', 'null'] }, { type: ['integer', 'null'] }] },
    [1, null],
    [1.5, 'a'],
  ],
  [
    'values of which some are of the type',
    { allOf: [{ enum: ['a', 1, null] }], type: ['string', 'null'] },
    ['a', null],
    [1],
  ],
  ['texts by their length alone', { minLength: 2 }, ['ab'], ['a', 1]],
  ['dates', { type: 'string', format: 'date' }, ['2024-02-29'], ['2024-13-01', 'today']],
  [
    'a pattern',
    { type: 'string', pattern: '^[A-Z]{2}-\\d+(?:\\.x|y)?$' },
    ['AB-1', 'AB-12.x', 'AB-1y'],
    ['A-1', 'AB-', 'AB-1z'],
  ],
  [
    'a pattern without anchors',
    { type: 'string', pattern: 'a[^b]c' },
    ['xaxcx', 'a\u00e9c'],
    ['abc', 'x'],
  ],
  [
    'a pattern with hyphens beside classes of characters',
    { type: 'string', pattern: '^[\\w-\\.]+@([\\w-]+\\.)+[\\w-]{2,4}$' },
    ['john.doe@x.com', 'a-b@x.com', 'a_b@x-y.co.uk'],
    ['a/b@x.com', 'john.doe@x'],
  ],
  [
    'a pattern with hyphens in other places',
    { type: 'string', pattern: '^[-a][+--][a-c-e][!-\\d][😀-😂]$' },
    ['--b!😁', 'a,-5😀', 'a+e-😂'],
    ['b,b!😁', 'a*b!😁', 'a,d!😁', 'a,b.😁', 'a,b!😃'],
  ],
  [
    'words of any language',
    {
      type: 'object',
      properties: { 'naïve "key"\n': { const: '日本' } },
      required: ['naïve "key"\n'],
    },
    [{ 'naïve "key"\n': '日本' }],
    [{}],
  ],
]

describe('a grammar lets through what fits a schema, and nothing else', () => {
  test.each(rows)('%s', async (_, schema, fitting, others) => {
    const fits = await judge(schema)
    for (const value of fitting) expect([value, fits(JSON.stringify(value))]).toEqual([value, true])
    for (const value of others) expect([value, fits(JSON.stringify(value))]).toEqual([value, false])
  })
})

test('one blank may follow a colon or a comma, as writers of JSON put it', async () => {
  const fits = await judge({ ...abc, required: ['a', 'b'] })
  expect(fits('{"a": "x", "b": "y"}')).toBe(true)
  expect(fits('{"a":   "x","b":"y"}')).toBe(false)
})

test.each([
  [{ type: 'string', pattern: '(?=a)b' }, ['pattern']],
  [{ type: 'string', pattern: '^a|b$' }, ['pattern']],
  [{ type: 'string', pattern: '^[z-a]$' }, ['pattern']],
  [{ type: 'string', pattern: '^[ -~]$' }, ['pattern']],
  [{ type: 'string', pattern: '^(a?){500}$' }, ['pattern']],
  [{ type: 'string', pattern: '^(a*)*$' }, ['pattern']],
  [{ type: 'string', pattern: '^((a|b){1,50}-){1,50}c$' }, ['pattern']],
  [{ type: 'string', format: 'email' }, ['format']],
  [{ type: 'string', pattern: '^a+$', maxLength: 5 }, ['maxLength']],
  [{ type: 'array', uniqueItems: true }, ['uniqueItems']],
  [{ type: 'number', minimum: 1 }, ['minimum']],
  [{ oneOf: [text, { type: 'integer' }] }, ['oneOf']],
  [{ type: 'string', maxLength: 1_000_000 }, ['maxLength']],
  [{ minimum: 1 }, ['minimum']],
  [{ enum: ['a', 'b'], anyOf: [{ const: 'a' }] }, ['anyOf']],
  [{ allOf: [{ type: 'string', pattern: '^a' }, { pattern: 'b$' }] }, ['pattern']],
  [{ allOf: [abc, { properties: { a: { const: 'x' } } }] }, ['properties']],
])('what no rule enforces is told: %j', (schema, told) => {
  expect(compile(schema).loose).toEqual(told)
})

const each = (count: number, schema: unknown) => ({
  anyOf: Array.from({ length: count }, () => schema),
})

test.each<[string, unknown, string[]]>([
  ['texts', { type: 'string', maxLength: 1000 }, ['maxLength']],
  ['lists', { type: 'array', maxItems: 1000 }, ['maxItems']],
  ['patterns', { type: 'string', pattern: '^(a|b|c){300}$' }, ['pattern']],
  ['whole numbers', { type: 'integer', minimum: 0 }, ['minimum']],
])('limits of many %s are held as far as there is room', async (_, schema, told) => {
  expect(compile(each(10, schema)).loose).toEqual([])
  const { text: grammar, loose } = compile(each(2400, schema))
  expect(loose).toEqual(told)
  expect(grammar.length).toBeLessThan(300_000)
  await llama.createGrammar({ grammar })
})

const deep = (levels: number): unknown =>
  levels === 0 ? text : { type: 'object', properties: { a: deep(levels - 1) } }

/** Each definition has the one before it twice, so that what it says in all doubles with each. */
const doubling = {
  $ref: '#/$defs/d40',
  $defs: Object.fromEntries(
    Array.from({ length: 41 }, (_, at) => {
      const part = { $ref: `#/$defs/d${at - 1}` }
      return [`d${at}`, at === 0 ? abc : { allOf: [part, part] }]
    }),
  ),
}

test.each<[string, unknown, string]>([
  ['itself beside a shape', { $ref: '#', properties: { a: text } }, 'not-expressible'],
  [
    'two that refer to each other beside a shape',
    {
      $ref: '#/$defs/a',
      $defs: {
        a: { $ref: '#/$defs/b', type: 'object' },
        b: { $ref: '#/$defs/a', type: 'object' },
      },
    },
    'not-expressible',
  ],
  ['parts that double', doubling, 'not-expressible'],
  ['no schema', 'text', 'request-invalid'],
  ['an unknown type', { type: 'strin' }, 'request-invalid'],
  ['an empty enum', { enum: [] }, 'request-invalid'],
  ['a reference to nothing', { $ref: '#/$defs/no' }, 'request-invalid'],
  ['a reference outside', { $ref: 'https://example.com/schema' }, 'request-invalid'],
  ['a limit that is none', { type: 'string', minLength: -1 }, 'request-invalid'],
  ['types that never meet', { allOf: [text, { type: 'null' }] }, 'not-expressible'],
  [
    'alternatives of other types only',
    { type: 'object', anyOf: [text, { const: 1 }] },
    'not-expressible',
  ],
  ['nothing at all', false, 'not-expressible'],
  ['no number between the limits', { type: 'integer', minimum: 5, maximum: 4 }, 'not-expressible'],
  ['a list that cannot be', { type: 'array', minItems: 3, maxItems: 2 }, 'not-expressible'],
  ['an endless text', { type: 'string', minLength: 1_000_000 }, 'not-expressible'],
  ['many long texts', each(100, { type: 'string', minLength: 1000 }), 'not-expressible'],
  ['many long enums', each(20, { enum: Array(1000).fill(1) }), 'not-expressible'],
  [
    'a long value in many places',
    {
      $defs: { a: { const: 'x'.repeat(20_000) } },
      ...each(200, { allOf: [{ $ref: '#/$defs/a' }] }),
    },
    'not-expressible',
  ],
  ['too deep a schema', deep(200), 'not-expressible'],
  [
    'too wide a schema',
    {
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 9000 }, (_, at) => [`p${at}`, text])),
    },
    'not-expressible',
  ],
  ['a list of itself', { allOf: [{ $ref: '#' }] }, 'not-expressible'],
])('is refused with the field that holds it: %s', (_, schema, code) => {
  let failure: unknown
  try {
    compile(schema)
  } catch (error) {
    failure = error
  }
  expect(failure).toMatchObject({ code, param: 'response_format' })
})

test('a schema of any references is written or refused in a short while', () => {
  const pointer = fc.constantFrom('#', '#/$defs/a', '#/$defs/b', '#/$defs/c')
  const schema = fc.letrec((tie) => ({
    one: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(text, abc, { type: 'integer' }),
      fc.record({ $ref: pointer }),
      fc.record({ $ref: pointer, type: fc.constant('object') }),
      fc.record({ allOf: fc.array(tie('one'), { maxLength: 3 }) }),
      fc.record({ anyOf: fc.array(tie('one'), { maxLength: 3 }), $ref: pointer }),
      fc.record({ properties: fc.record({ x: tie('one'), y: tie('one') }) }),
      fc.record({ type: fc.constant('array'), items: tie('one') }),
    ),
  })).one
  fc.assert(
    fc.property(schema, schema, schema, schema, (root, a, b, c) => {
      try {
        expect(compile(Object.assign({}, root, { $defs: { a, b, c } })).text).toContain('root ::=')
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error
      }
    }),
    { numRuns: 100 },
  )
})
