/** What of a request is no text. */
export interface MediaParts {
  readonly images: number
  /** Documents, sounds and whatever else comes as a file. */
  readonly files: number
  /** Characters of the images' own data, which are bytes too, since it is base64. */
  readonly imageLength: number
  /** Characters of the data of files, as far as that is base64. */
  readonly fileLength: number
}
