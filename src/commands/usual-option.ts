import { Option } from 'commander'

interface Usual<Value> {
  readonly description: string
  readonly parse: (text: string) => Value
  /** What holds where nothing is typed, as it would be typed. */
  readonly usual: string
}

/** An option with a default that its help shows in the words that people type, not as the value that is made of them. */
export function usualOption<Value>(
  flags: string,
  { description, parse, usual }: Usual<Value>,
): Option {
  return new Option(flags, description).argParser(parse).default(parse(usual), usual)
}
