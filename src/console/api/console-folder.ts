import { join } from 'node:path'

/** Where the console is built, and served from. */
export const consoleFolder = join(import.meta.dirname, '../../../dist/console')

/** What it is built of. */
export const consoleSources = join(import.meta.dirname, '../web')

/** The list of all that was built, in the folder of what was. */
export const listName = 'files.json'
