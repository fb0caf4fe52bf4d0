/**
 * Names of the semantic conventions of OpenTelemetry, as this gateway uses them. Those for generative AI are not stable
 * yet: they stand here as they were when this was written, and a test compares them with the published list.
 */
export const attribute = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  requestModel: 'gen_ai.request.model',
  requestStream: 'gen_ai.request.stream',
  maxTokens: 'gen_ai.request.max_tokens',
  choices: 'gen_ai.request.choice.count',
  responseModel: 'gen_ai.response.model',
  responseId: 'gen_ai.response.id',
  finishReasons: 'gen_ai.response.finish_reasons',
  firstChunk: 'gen_ai.response.time_to_first_chunk',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cacheRead: 'gen_ai.usage.cache_read.input_tokens',
  cacheWrite: 'gen_ai.usage.cache_creation.input_tokens',
  reasoning: 'gen_ai.usage.reasoning.output_tokens',
  tokenType: 'gen_ai.token.type',
  errorType: 'error.type',
  method: 'http.request.method',
  route: 'http.route',
  status: 'http.response.status_code',
  path: 'url.path',
  scheme: 'url.scheme',
  serverAddress: 'server.address',
  serverPort: 'server.port',
  serviceName: 'service.name',
  serviceVersion: 'service.version',
  serviceInstance: 'service.instance.id',
} as const

export const metric = {
  clientDuration: 'gen_ai.client.operation.duration',
  clientTokens: 'gen_ai.client.token.usage',
  serverDuration: 'gen_ai.server.request.duration',
  firstToken: 'gen_ai.server.time_to_first_token',
  perToken: 'gen_ai.server.time_per_output_token',
} as const

/** What the conventions call what an exchange does. */
export function operationOf(endpoint: string): string {
  return endpoint === 'embeddings' ? 'embeddings' : 'chat'
}

/** What is a failure of the operation, and no way for it to end. */
export function errorTypeOf(result: string): string | undefined {
  return fine.has(result) ? undefined : result
}

const fine: ReadonlySet<string> = new Set(['complete', 'answered', 'budget-stop'])
