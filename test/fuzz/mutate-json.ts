import type { Chance } from '#test/crash/seeded.ts'

/** JSON text that knows its structure: what `JSON.parse` would lose (equal keys, number forms, `__proto__`) can stand in it. */
export type Tree =
  | { readonly type: 'object'; readonly members: readonly (readonly [key: string, value: Tree])[] }
  | { readonly type: 'array'; readonly items: readonly Tree[] }
  | { readonly type: 'text'; readonly text: string }

export function treeOf(value: unknown): Tree {
  if (Array.isArray(value)) return { type: 'array', items: value.map(treeOf) }
  if (typeof value === 'object' && value !== null) {
    return {
      type: 'object',
      members: Object.entries(value).map(([key, member]) => [key, treeOf(member)] as const),
    }
  }
  return text(JSON.stringify(value) ?? 'null')
}

export function textOf(tree: Tree): string {
  switch (tree.type) {
    case 'object':
      return `{${tree.members.map(([key, value]) => `${keyText(key)}:${textOf(value)}`).join(',')}}`
    case 'array':
      return `[${tree.items.map(textOf).join(',')}]`
    case 'text':
      return tree.text
  }
}

/** Changes a few values of a body in a few places; keeps it JSON. */
export function mutateJson(tree: Tree, chance: Chance): Tree {
  let mutated = tree
  for (let left = chance.oneOf([1, 1, 1, 2, 3]); left > 0; left--)
    mutated = changed(mutated, chance)
  return mutated
}

/** Walks down at random, and changes what it comes to. */
function changed(tree: Tree, chance: Chance): Tree {
  const size =
    tree.type === 'object' ? tree.members.length : tree.type === 'array' ? tree.items.length : 0
  if (size === 0 || chance.in(0.25)) return changedHere(tree, chance)
  const at = chance.between(0, size - 1)
  if (tree.type === 'array')
    return { ...tree, items: tree.items.with(at, changed(itemAt(tree, at), chance)) }
  if (tree.type === 'text') return tree
  const [key, value] = tree.members[at] ?? ['', text('null')]
  const members = chance.in(0.15)
    ? tree.members.with(at, [chance.oneOf(sharpKeys), value])
    : tree.members.with(at, [key, changed(value, chance)])
  return { ...tree, members }
}

function itemAt({ items }: Extract<Tree, { type: 'array' }>, at: number): Tree {
  return items[at] ?? text('null')
}

type Change = (tree: Tree, chance: Chance) => Tree

function changedHere(tree: Tree, chance: Chance): Tree {
  return chance.oneOf(changes[tree.type])(tree, chance)
}

const anywhere: readonly Change[] = [
  (_tree, chance) => text(chance.oneOf(sharpValues)),
  (_tree, chance) => text(chance.oneOf(sharpValues)),
  (tree) => ({ type: 'array', items: [tree] }),
  (tree) => ({
    type: 'object',
    members: [
      ['type', text('"text"')],
      ['text', tree],
    ],
  }),
  (tree, chance) => nested(tree, chance.oneOf([3, 60, 130])),
  (tree) => text(JSON.stringify(textOf(tree))),
]

const changes: Readonly<Record<Tree['type'], readonly Change[]>> = {
  text: anywhere,
  array: [
    ...anywhere,
    (tree, chance) => inItems(tree, (items) => items.filter(() => chance.in(0.7))),
    (tree) => inItems(tree, (items) => [...items, ...items]),
    (tree) => inItems(tree, (items) => items.toReversed()),
    (tree, chance) => inItems(tree, (items) => [...items, text(chance.oneOf(sharpValues))]),
    () => ({ type: 'array', items: [] }),
  ],
  object: [
    ...anywhere,
    (tree, chance) => inMembers(tree, (members) => members.filter(() => chance.in(0.7))),
    (tree, chance) =>
      inMembers(tree, (members) => [
        ...members,
        [chance.oneOf(sharpKeys), text(chance.oneOf(sharpValues))],
      ]),
    (tree, chance) =>
      inMembers(tree, (members) =>
        members.length === 0 ? members : [...members, chance.oneOf(members)],
      ),
    (tree, chance) =>
      inMembers(tree, (members) =>
        members.length === 0
          ? members
          : [...members, [chance.oneOf(members)[0], text(chance.oneOf(sharpValues))]],
      ),
    (tree) => inMembers(tree, (members) => members.toReversed()),
    () => ({ type: 'object', members: [] }),
  ],
}

type Items = readonly Tree[]
type Members = Extract<Tree, { type: 'object' }>['members']

function inItems(tree: Tree, change: (items: Items) => Items): Tree {
  return tree.type === 'array' ? { ...tree, items: change(tree.items) } : tree
}

function inMembers(tree: Tree, change: (members: Members) => Members): Tree {
  return tree.type === 'object' ? { ...tree, members: change(tree.members) } : tree
}

function nested(tree: Tree, depth: number): Tree {
  let deep = tree
  for (let level = 0; level < depth; level++)
    deep =
      level % 2 === 0
        ? { type: 'array', items: [deep] }
        : { type: 'object', members: [['a', deep]] }
  return deep
}

function text(said: string): Tree {
  return { type: 'text', text: said }
}

/** A key is written with escapes now and then: `JSON.parse` sees through them, a search for bytes does not. */
function keyText(key: string): string {
  return key === 'model\u0000' ? '"mod\\u0065l"' : JSON.stringify(key)
}

const sharpKeys = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'then',
  '',
  '0',
  'length',

  'model',
  'stream',
  'max_tokens',
  'messages',
  'type',
  'role',
  'content',
  'text',
  'tools',
  'id',

  'tool_calls',
  'tool_call_id',
  'tool_use_id',
  'function',
  'name',
  'input',
  'arguments',
  'system',
  'cache_control',
  'thinking',
  'signature',
  'reasoning_content',
  'response_format',
  'stop',

  'output_config',
  'mid\nline',
  'é',
  '\ud800',
  'model\u0000',
  'image_url',
  'source',
  'url',
  'data',
]

const sharpValues = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '-1',
  '1',
  '1.5',
  '1e999',
  '-1e999',
  '1e-999',
  '1E+2',
  '9007199254740993',
  '18446744073709551616',
  '123456789012345678901234567890.5',
  '0.1e1',
  '""',
  '" "',
  '"text"',
  '"image"',
  '"image_url"',
  '"tool_use"',
  '"tool_result"',
  '"thinking"',
  '"redacted_thinking"',
  '"document"',
  '"file"',
  '"input_audio"',
  '"refusal"',
  '"custom"',

  '"user"',
  '"assistant"',
  '"system"',
  '"developer"',
  '"tool"',
  '"function"',
  '"auto"',
  '"any"',

  '"none"',
  '"required"',
  '"json_object"',
  '"json_schema"',
  '"ephemeral"',
  '"enabled"',
  '"high"',
  '"\\u0000"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"é🙂\\u2028"',
  '"\\n\\r\\t"',
  '"__proto__"',

  '"data:image/png;base64,iVBORw0KGgo="',
  '"data:;base64,"',
  '"data:"',
  '"http://[::"',
  '"https://a/b.png"',

  '"file:///etc/passwd"',
  '"{}"',
  '"{\\"a\\":1}"',
  '"["',
  '"parley.1.engine"',
  '"call_1"',
  '"toolu_1"',

  '[]',
  '{}',
  '[null]',
  '[[]]',
  '{"type":"text"}',
  '{"type":"text","text":"x"}',
  '{"__proto__":{"polluted":1}}',

  '{"constructor":{"prototype":{"polluted":1}}}',
  '{"role":"assistant"}',
  '{"role":"user","content":[]}',

  '{"type":"function","function":{"name":"f"}}',
  '{"type":"tool_use","id":"toolu_1","name":"f","input":{}}',

  '{"type":"tool_result","tool_use_id":"toolu_1"}',
  '{"type":"image","source":{"type":"url","url":"x"}}',

  '{"type":"thinking","thinking":"a","signature":"b"}',
  '{"type":"bash_20250124","name":"bash"}',
]
