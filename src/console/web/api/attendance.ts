/** After this long without a touch, what a page asks for is asked for by nobody. */
const attendedMs = 60_000

const touches = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const

let touchedAt = 0

/** Begins to watch whether somebody is at the page: once, when the console starts. */
export function watchAttendance(): void {
  const touched = (): void => {
    touchedAt = performance.now()
  }
  touched()
  for (const touch of touches) addEventListener(touch, touched, { passive: true, capture: true })
}

/** Whether nobody has touched the page for a while. A page that asks by itself must not keep a session alive. */
export function isUnattended(): boolean {
  return performance.now() - touchedAt > attendedMs
}
