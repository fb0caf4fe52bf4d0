import { z } from 'zod'

import { configSchema } from './schema.ts'

/** The JSON Schema of the config file, for editors and for checks before a roll-out. */
export function configJsonSchema(vendors: readonly string[]): object {
  const schema = z.toJSONSchema(configSchema(vendors), { io: 'input' })
  return {
    ...schema,
    title: 'Parley',
    description:
      'The configuration of a Parley gateway. Any text may hold references to the environment, such as ${OPENAI_API_KEY}.',
  }
}
