/** How long anything on a page may take. Only a machine that is far too slow, or something broken, waits so long. */
export const patienceMs = Number(process.env['PARLEY_PATIENCE_MS'] ?? 30_000)

/** What `look` gives as soon as it does not throw. Throws its last failure when patience is over. */
export async function eventually<Seen>(look: () => Promise<Seen> | Seen): Promise<Seen> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    try {
      return await look()
    } catch (error) {
      if (performance.now() > deadline) throw error
      await Bun.sleep(50)
    }
  }
}
