import type { Picture } from './conversation.ts'

/** Models look at no more than this: what is larger is made smaller before it is sent. */
const longestSide = 1568

/**
 * A picture from a file, small enough to be sent. It is drawn anew, so what the file says beside the picture (where it
 * was taken, by what) does not leave this machine. Throws an `Error` for a file that is no picture.
 */
export async function pictureOf(file: File): Promise<Picture> {
  const bitmap = await decoded(file)
  const scale = Math.min(1, longestSide / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(bitmap.width * scale))
  canvas.height = Math.max(1, Math.round(bitmap.height * scale))
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  bitmap.close()
  // Drawings stay sharp as PNG; photographs would be large.
  const mediaType = file.type === 'image/png' ? 'image/png' : 'image/jpeg'
  const [, base64 = ''] = canvas.toDataURL(mediaType, quality).split(',', 2)
  return { mediaType, base64 }
}

const quality = 0.9

async function decoded(file: File): Promise<ImageBitmap> {
  try {
    return await createImageBitmap(file)
  } catch (error) {
    throw new Error(`${file.name} is no picture that this browser can read.`, { cause: error })
  }
}
