import { useSyncExternalStore } from 'react'

/** How the console looks: light, dark, or as the system does. Kept in this browser. */
export type ThemeChoice = 'light' | 'dark' | 'system'

const storageName = 'parley-theme'
const changed = 'parley-theme-changed'

export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore(onChange, themeChoice)
}

/** What is shown: the choice, or what the system has for `system`. */
export function useAppearance(): 'light' | 'dark' {
  return useSyncExternalStore(onChange, appearance)
}

export function chooseTheme(choice: ThemeChoice): void {
  try {
    localStorage.setItem(storageName, choice)
  } catch {
    // A browser that keeps nothing shows what the system has.
  }
  dispatchEvent(new Event(changed))
}

function themeChoice(): ThemeChoice {
  try {
    const kept = localStorage.getItem(storageName)
    return kept === 'light' || kept === 'dark' ? kept : 'system'
  } catch {
    return 'system'
  }
}

const prefersDark = '(prefers-color-scheme: dark)'

function appearance(): 'light' | 'dark' {
  const choice = themeChoice()
  if (choice !== 'system') return choice
  return matchMedia(prefersDark).matches ? 'dark' : 'light'
}

function onChange(tell: () => void): () => void {
  const system = matchMedia(prefersDark)
  system.addEventListener('change', tell)
  addEventListener(changed, tell)
  addEventListener('storage', tell)
  return () => {
    system.removeEventListener('change', tell)
    removeEventListener(changed, tell)
    removeEventListener('storage', tell)
  }
}
