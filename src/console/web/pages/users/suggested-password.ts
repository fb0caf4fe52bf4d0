/** Without letters that look like others. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

/** A password that nobody can guess: four groups of five, 99 bits. */
export function suggestedPassword(): string {
  const groups = Array.from({ length: 4 }, () => Array.from({ length: 5 }, oneLetter).join(''))
  return groups.join('-')
}

function oneLetter(): string {
  const most = 256 - (256 % letters.length)
  for (;;) {
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1))
    // What is beyond the last whole round would make some letters likelier than others.
    if (byte < most) return letters.charAt(byte % letters.length)
  }
}
