/** The widths of the component kit that no page of ours asks for, by the names that its properties have. */
export const unusedWidths = { md: 1024, lg: 1280, xl: 1640 } as const

/**
 * The styles of the component kit without what stands in them for widths that no page asks for. That is nearly half of
 * all, and browsers read every rule before they draw anything.
 */
export function leanStyles(css: string): string {
  return css.replace(blockOfWidth, '')
}

/** A block ends at the first brace that begins a line: the kit writes them so. */
const blockOfWidth = new RegExp(
  String.raw`^@media \(min-width: (?:${Object.values(unusedWidths).join('|')})px\) \{\n[\s\S]*?^\}\n?`,
  'gm',
)
