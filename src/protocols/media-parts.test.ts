import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { mediaPartsOf } from './media-parts.ts'

describe('images and files of a body', () => {
  test('are found in both protocols, in results of tools and in documents', () => {
    const image = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'QUJD' },
    }
    const result = {
      type: 'tool_result',
      tool_use_id: 'x',
      content: [image, { type: 'text', text: 'a' }],
    }
    const document = { type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } }
    expect(
      mediaPartsOf({ messages: [{ content: [image, result, document] }, { content: 'text' }] }),
    ).toEqual({
      images: 2,
      files: 1,
      imageLength: 2 * 'imagebase64image/pngQUJD'.length,
      fileLength: 0,
    })
  })

  test('the data of files is told from their text', () => {
    const content = [
      { type: 'document', source: { type: 'base64', data: 'QUJD' } },
      { type: 'document', source: { type: 'text', data: 'What it says.' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,QQ==' } },
      { type: 'input_audio', input_audio: { data: 'QUJDRA==', format: 'wav' } },
    ]
    const { files, fileLength } = mediaPartsOf({ messages: [{ content }] })
    expect(files).toBe(4)
    expect(fileLength).toBe('QUJDdata:application/pdf;base64,QQ==QUJDRA=='.length)
  })

  test('are not looked for where there are none, whatever the body is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const parts = mediaPartsOf({ messages: value })
        expect(parts.images + parts.files).toBe(0)
      }),
    )
    for (const body of [undefined, null, [], 'x', { messages: [null, 1, { content: [null] }] }])
      expect(mediaPartsOf(body)).toEqual({ images: 0, files: 0, imageLength: 0, fileLength: 0 })
  })

  test('text is never taken for an image, so it cannot make a hold smaller', () => {
    const text = `{"type":"image","data":"${'A'.repeat(1000)}"}`
    const value = { messages: [{ role: 'user', content: [{ type: 'text', text }] }] }
    expect(mediaPartsOf(value).imageLength).toBe(0)
  })
})
