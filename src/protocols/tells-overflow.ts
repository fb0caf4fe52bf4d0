/** Whether a message says, in the words of any vendor or model server, that a request is longer than the model can take. */
export function tellsOverflow(message: string): boolean {
  return words.some((wording) => wording.test(message))
}

const words: readonly RegExp[] = [
  /(?:prompt|input) is too long|prompt_too_long|too long to fit into the model/i,
  /(?:maximum|model's) (?:context|prompt|model) length|(?:longer|greater) than the (?:maximum |model's )?(?:context|model) (?:length|size)/i,
  /context[_ ](?:length|window|size|limit) (?:is |was |has been )?exceeded|context_(?:length|window|size|limit)/i,
  /exceeds? (?:the |this |its |available |maximum |model'?s? )*context/i,
  /token count .{0,40}exceeds the (?:maximum|limit)/i,
  /reduce the length of (?:the|your) (?:messages|prompt|input)/i,
]
