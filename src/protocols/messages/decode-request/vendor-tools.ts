import type { Tool } from '#chat/conversation.ts'
import { type JsonObject, rawJson } from '#std/json.ts'

/**
 * A tool whose schema the vendor's models know by heart and the caller runs itself, described for every other model.
 * Undefined for a tool that the vendor runs, or that needs a model trained for it.
 */
export function vendorTool(type: string, { name }: JsonObject): Omit<Tool, 'field'> | undefined {
  const family = families.find(({ prefix }) => type.startsWith(prefix))
  if (family === undefined) return undefined
  const { defaultName, description, properties, required } = family
  return {
    name: typeof name === 'string' ? name : defaultName,
    description,
    schema: rawJson({ type: 'object', properties, required }),
  }
}

interface ToolFamily {
  readonly prefix: string
  readonly defaultName: string
  readonly description: string
  readonly properties: { readonly [name: string]: JsonObject }
  readonly required: readonly string[]
}

const families: readonly ToolFamily[] = [
  {
    prefix: 'bash_2',
    defaultName: 'bash',
    description:
      'Runs a command in a bash session that stays open between calls, and returns what it printed.',
    properties: {
      command: { type: 'string', description: 'The command to run. Needed unless restarting.' },
      restart: { type: 'boolean', description: 'True to start the session afresh.' },
    },
    required: [],
  },
  {
    prefix: 'text_editor_2',
    defaultName: 'str_replace_based_edit_tool',
    description:
      'Shows and edits text files. `view` shows a file or lists a directory, `create` writes a new file, `str_replace` replaces a text that occurs exactly once, `insert` adds text after a line.',
    properties: {
      command: { type: 'string', enum: ['view', 'create', 'str_replace', 'insert'] },
      path: { type: 'string', description: 'The file or directory.' },
      view_range: {
        type: 'array',
        items: { type: 'integer' },
        description: 'For `view`: first and last line, counted from 1; -1 is the end of the file.',
      },
      file_text: { type: 'string', description: 'For `create`: the content of the file.' },
      old_str: { type: 'string', description: 'For `str_replace`: the text to replace.' },
      new_str: { type: 'string', description: 'For `str_replace`: what to put in its place.' },
      insert_line: { type: 'integer', description: 'For `insert`: the line to insert after.' },
      insert_text: { type: 'string', description: 'For `insert`: the text to insert.' },
    },
    required: ['command', 'path'],
  },
  {
    prefix: 'memory_2',
    defaultName: 'memory',
    description:
      'Keeps notes in files under /memories that outlast the conversation. Look there before starting, and write down what will matter later.',
    properties: {
      command: {
        type: 'string',
        enum: ['view', 'create', 'str_replace', 'insert', 'delete', 'rename'],
      },
      path: { type: 'string', description: 'The file or directory, under /memories.' },
      view_range: { type: 'array', items: { type: 'integer' } },
      file_text: { type: 'string', description: 'For `create`: the content of the file.' },
      old_str: { type: 'string', description: 'For `str_replace`: the text to replace.' },
      new_str: { type: 'string', description: 'For `str_replace`: what to put in its place.' },
      insert_line: { type: 'integer', description: 'For `insert`: the line to insert after.' },
      insert_text: { type: 'string', description: 'For `insert`: the text to insert.' },
      old_path: { type: 'string', description: 'For `rename`: the present path.' },
      new_path: { type: 'string', description: 'For `rename`: the path to be.' },
    },
    required: ['command'],
  },
]
