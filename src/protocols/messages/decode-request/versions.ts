/** The version that takes less than those before it. Versions are compared as strings, never by date. */
export const newestVersion = '2026-10-21'

/** What a caller that names no version is taken to mean; it takes the sampling parameters of other protocols. */
export const defaultVersion = '2023-06-01'

/** What the newest version refuses, whatever the value. */
export const withdrawnFields: ReadonlySet<string> = new Set(['temperature', 'top_p', 'top_k'])
