import { decodeError } from '#protocols/chat-completions/decode-answer/decode-error.ts'
import { decodeReply } from '#protocols/chat-completions/decode-answer/decode-reply.ts'
import { decodeStream } from '#protocols/chat-completions/decode-answer/decode-stream.ts'
import { passReply } from '#protocols/chat-completions/decode-answer/pass-reply.ts'
import { passStream } from '#protocols/chat-completions/decode-answer/pass-stream.ts'
import { decodeRequest } from '#protocols/chat-completions/decode-request/decode-request.ts'
import { cutStream } from '#protocols/chat-completions/encode-answer/cut-stream.ts'
import {
  encodeError,
  encodeStreamError,
  statusOf,
} from '#protocols/chat-completions/encode-answer/encode-error.ts'
import { encodeReply } from '#protocols/chat-completions/encode-answer/encode-reply.ts'
import { encodeStream, keepAlive } from '#protocols/chat-completions/encode-answer/encode-stream.ts'
import { untold } from '#protocols/chat-completions/encode-answer/untold.ts'
import { encodeRequest } from '#protocols/chat-completions/encode-request/encode-request.ts'
import { passRequest } from '#protocols/chat-completions/encode-request/pass-request.ts'
import type { Protocol } from '#protocols/protocol.ts'

import { decodeModels, encodeModel, encodeModelList } from './models.ts'

/** The chat-completions protocol, whole. */
export const chatCompletions: Protocol = {
  name: 'chat-completions',
  decodeRequest,
  encodeReply,
  untold,
  encodeStream,
  cutStream,
  statusOf,
  encodeError,
  encodeStreamError,
  keepAlive,
  encodeModelList,
  encodeModel,
  passRequest,
  encodeRequest,
  decodeReply,
  decodeStream,
  passReply,
  passStream,
  decodeError,
  decodeModels,
}
