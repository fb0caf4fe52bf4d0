import { type CharacterSet, characterSet } from './character-set.ts'
import { type Border, PatternError, type PatternTree } from './pattern-syntax.ts'

/** One thing that a pattern's machine can do, with the places where it goes on. */
export type Instruction =
  | { readonly type: 'take'; readonly set: CharacterSet; readonly to: number }
  | { readonly type: 'fork'; readonly to: number; readonly or: number }
  | { readonly type: 'border'; readonly where: Border; readonly to: number }
  | { readonly type: 'found' }

export interface PatternProgram {
  readonly instructions: readonly Instruction[]
  readonly start: number
}

/** A repetition is written out, so that a short pattern may be a long program. */
const mostInstructions = 4000

/** Makes a pattern a program. Throws `PatternError` for one that would be too long, or that fits where nothing is. */
export function programOf(tree: PatternTree, ignoresCase: boolean): PatternProgram {
  const instructions: Instruction[] = [{ type: 'found' }]
  const start = written({ instructions, ignoresCase }, tree, 0)
  if (fitsNothing(instructions, start))
    throw new PatternError('fits where there is nothing, so it would fit everywhere')
  return { instructions, start }
}

interface Writing {
  readonly instructions: Instruction[]
  readonly ignoresCase: boolean
}

/** Writes what a tree says, to go on at `to` after it; gives where it begins. Programs are written from their end. */
function written(writing: Writing, tree: PatternTree, to: number): number {
  switch (tree.type) {
    case 'set': {
      const { ignoresCase } = writing
      const set = characterSet(tree.ranges, { isNegated: tree.isNegated, ignoresCase })
      return add(writing, { type: 'take', set, to })
    }
    case 'border':
      return add(writing, { type: 'border', where: tree.where, to })
    case 'sequence':
      return tree.parts.reduceRight((next, part) => written(writing, part, next), to)
    case 'choice':
      return tree.parts
        .map((part) => written(writing, part, to))
        .reduceRight((or, next) => add(writing, { type: 'fork', to: next, or }))
    case 'repeat':
      return repeated(writing, tree, to)
    default:
      return tree satisfies never
  }
}

function repeated(
  writing: Writing,
  { part, least, most }: Extract<PatternTree, { readonly type: 'repeat' }>,
  to: number,
): number {
  let next = most === Infinity ? loop(writing, part, to) : to
  for (let left = most === Infinity ? 0 : most - least; left > 0; left--)
    next = add(writing, { type: 'fork', to: written(writing, part, next), or: to })
  for (let left = least; left > 0; left--) next = written(writing, part, next)
  return next
}

/** As often as there is any: the fork is written last, and stands where the part goes on to. */
function loop(writing: Writing, part: PatternTree, to: number): number {
  const fork = add(writing, { type: 'fork', to, or: to })
  const begin = written(writing, part, fork)
  writing.instructions[fork] = { type: 'fork', to: begin, or: to }
  return fork
}

function add({ instructions }: Writing, instruction: Instruction): number {
  if (instructions.length >= mostInstructions)
    throw new PatternError('is too long when its repetitions are written out')
  return instructions.push(instruction) - 1
}

/** Whether the end can be reached without taking a character; the borders are taken for there. */
function fitsNothing(instructions: readonly Instruction[], start: number): boolean {
  const open = [start]
  const seen = new Set<number>()
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const instruction = instructions[at]
    if (seen.has(at) || instruction === undefined) continue
    seen.add(at)
    if (instruction.type === 'found') return true
    if (instruction.type === 'fork') open.push(instruction.to, instruction.or)
    if (instruction.type === 'border') open.push(instruction.to)
  }
  return false
}
