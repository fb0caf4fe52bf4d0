import { decodeError } from '#protocols/messages/decode-answer/decode-error.ts'
import { decodeReply } from '#protocols/messages/decode-answer/decode-reply.ts'
import { decodeStream } from '#protocols/messages/decode-answer/decode-stream.ts'
import { passReply } from '#protocols/messages/decode-answer/pass-reply.ts'
import { passStream } from '#protocols/messages/decode-answer/pass-stream.ts'
import { decodeRequest } from '#protocols/messages/decode-request/decode-request.ts'
import { defaultVersion } from '#protocols/messages/decode-request/versions.ts'
import { cutStream } from '#protocols/messages/encode-answer/cut-stream.ts'
import {
  encodeError,
  encodeStreamError,
  statusOf,
} from '#protocols/messages/encode-answer/encode-error.ts'
import { encodeReply } from '#protocols/messages/encode-answer/encode-reply.ts'
import { encodeStream, keepAlive } from '#protocols/messages/encode-answer/encode-stream.ts'
import { untold } from '#protocols/messages/encode-answer/untold.ts'
import { encodeRequest } from '#protocols/messages/encode-request/encode-request.ts'
import { passRequest } from '#protocols/messages/encode-request/pass-request.ts'
import type { Protocol } from '#protocols/protocol.ts'

import { decodeModels, encodeModel, encodeModelList } from './models.ts'

/** The messages protocol, whole. */
export const messages: Protocol = {
  name: 'messages',
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
  listHeaders: new Map([['anthropic-version', defaultVersion]]),
  decodeModels,
}
