import { configJsonSchema } from '#config/json-schema.ts'
import { vendorNames } from '#upstreams/vendors/vendors.ts'

/** Where the published schema of the config file lies, from the root of the repository. */
export const schemaFile = 'parley.schema.json'

/** The published schema, as text. */
export function schemaText(): string {
  return `${JSON.stringify(configJsonSchema(vendorNames), undefined, 2)}\n`
}

if (import.meta.main) await Bun.write(schemaFile, schemaText())
