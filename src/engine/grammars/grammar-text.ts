/** A text as it is written in a grammar (GBNF). */
export function literal(text: string): string {
  let said = ''
  for (const character of text) said += escapes[character] ?? plainOrCode(character)
  return `"${said}"`
}

/** A character as it is written between brackets. */
export function characterIn(character: string): string {
  return '[]^-\\'.includes(character) ? `\\x${codeOf(character)}` : plainOrCode(character)
}

/** Rules that JSON is made of. One blank may stand where Python's and JavaScript's writers put one. */
const jsonRules: Readonly<Record<string, string>> = {
  gap: '" "?',
  value: 'object | array | string | number | boolean | null',
  object: '"{" gap ( member ( "," gap member )* )? gap "}"',
  member: 'string ":" gap value',
  array: '"[" gap ( value ( "," gap value )* )? gap "]"',
  string: '"\\"" char* "\\""',
  char: '[^"\\\\\\x7F\\x00-\\x1F] | "\\\\" ( ["\\\\/bfnrt] | "u" [0-9a-fA-F]{4} )',
  number: 'integer ( "." [0-9]{1,16} )? ( [eE] [-+]? [0-9]{1,3} )?',
  integer: '"-"? ( "0" | [1-9] [0-9]{0,15} )',
  boolean: '"true" | "false"',
  null: '"null"',
}

/** The rules as one text, with those of JSON that they use. */
export function grammarText(rules: ReadonlyMap<string, string>): string {
  const lines = [...rules].map(([name, text]) => `${name} ::= ${text}`)
  for (const [name, text] of Object.entries(jsonRules)) lines.push(`${name} ::= ${text}`)
  return lines.join('\n')
}

const escapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

function plainOrCode(character: string): string {
  return character < ' ' || character === '\x7F' ? `\\x${codeOf(character)}` : character
}

function codeOf(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(2, '0')
}
