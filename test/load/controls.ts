/** Asks for one thing after the other for so many seconds. Gives how long each took, the shortest first, and how many failed. */
export async function controlsFor(
  control: () => Promise<number>,
  seconds: number,
): Promise<{ readonly ms: readonly number[]; readonly failed: number }> {
  const ms: number[] = []
  let failed = 0
  for (const deadline = performance.now() + seconds * 1000; performance.now() < deadline;) {
    try {
      ms.push(await control())
    } catch {
      failed += 1
    }
    await Bun.sleep(50)
  }
  return { ms: ms.toSorted((one, other) => one - other), failed }
}

/** The time that this share of them does not exceed, in whole milliseconds. */
export function shareOf(sorted: readonly number[], share: number): number {
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
}
