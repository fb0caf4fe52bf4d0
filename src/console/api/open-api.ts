import { z } from 'zod'

import { problemKinds } from '#console/access/problem.ts'

import { csrfHeader } from './guard.ts'
import type { Route } from './route.ts'

interface OpenApi {
  readonly openapi: '3.1.0'
  readonly [member: string]: unknown
}

/** The routes as an OpenAPI 3.1 document, made from the schemas that check what goes in and out. */
export function openApiOf(routes: Readonly<Record<string, Route>>): OpenApi {
  const shared: Record<string, unknown> = { Problem: jsonSchema(problem, 'output') }
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [name, route] of Object.entries(routes)) {
    const operations = (paths[route.path] ??= {})
    operations[route.method.toLowerCase()] = operationOf(name, route, shared)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley administration',
      version: '1',
      description:
        'Times are Unix milliseconds, money is whole micro-dollars. A session is a cookie that /api/login sets.',
    },
    paths,
    components: {
      schemas: shared,
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'parley_session' },
        secureSession: { type: 'apiKey', in: 'cookie', name: '__Host-parley' },
      },
    },
  }
}

const problem = z.strictObject({
  error: z.strictObject({
    // A plain string, though the codes are known: whoever reads it has to bear new ones.
    code: z.string().meta({ examples: Object.keys(problemKinds) }),
    message: z.string(),
    param: z.string().exactOptional(),
    requestId: z.string(),
  }),
})

type Shared = Record<string, unknown>

function operationOf(name: string, route: Route, shared: Shared): object {
  const isOpen = route.role === 'anyone'
  return {
    operationId: name,
    summary: route.summary,
    security: isOpen ? [] : [{ session: [] }, { secureSession: [] }],
    'x-parley-role': route.role,
    'x-parley-tenant': route.tenant,
    parameters: parametersOf(route, shared),
    ...(bodyOf(route) !== undefined && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: taken(bodyOf(route), 'input', shared) } },
      },
    }),
    responses: {
      [route.status]: { description: 'Done.', content: answerOf(route, shared) },
      default: {
        description: 'It could not be done.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  }
}

/** The body as it has to be sent: where a password is asked for again, with it. */
export function bodyOf({ body, reauthenticates }: Route): z.ZodType | undefined {
  if (!reauthenticates) return body
  const own = body instanceof z.ZodObject ? body : z.strictObject({})
  return own.extend({ yourPassword })
}

const yourPassword = z
  .string()
  .min(1)
  .max(1024)
  .meta({ description: 'The password of whoever asks, once more.' })

const contentTypes = {
  json: 'application/json',
  events: 'text/event-stream',
  lines: 'text/plain',
} as const satisfies Record<Route['form'], string>

function answerOf({ form, answer }: Route, shared: Shared): object {
  return { [contentTypes[form]]: { schema: taken(answer, 'output', shared) } }
}

function parametersOf({ path, method, query }: Route, shared: Shared): object[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => ({
    name: parameter,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const inQuery =
    query instanceof z.ZodObject
      ? Object.entries(query.shape).map(([parameter, schema]) => ({
          name: parameter,
          in: 'query',
          required: false,
          schema: taken(schema as z.ZodType, 'output', shared),
        }))
      : []
  const header = { name: csrfHeader, in: 'header', required: true, schema: { const: '1' } }
  return [...inPath, ...inQuery, ...(method === 'GET' ? [] : [header])]
}

/** A schema whose named parts are put among those that all operations share. */
function taken(schema: z.ZodType | undefined, io: 'input' | 'output', shared: Shared): object {
  if (schema === undefined) return {}
  const { $defs = {}, ...rest } = jsonSchema(schema, io)
  for (const [name, part] of Object.entries($defs)) shared[name] ??= referring(part)
  return referring(rest)
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}

/** The same with what it refers to where OpenAPI keeps it. */
function referring<Value>(value: Value): Value {
  const text = JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/')
  return JSON.parse(text)
}
