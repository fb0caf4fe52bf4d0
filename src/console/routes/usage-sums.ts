/** What a row of a usage report adds up, in the order in which files have it. */
export const usageSums = [
  'exchanges',
  'failed',
  'estimated',
  'unpriced',
  'input',
  'cacheRead',
  'cacheWrite',
  'output',
  'reasoning',
  'cost',
  'excess',
] as const
