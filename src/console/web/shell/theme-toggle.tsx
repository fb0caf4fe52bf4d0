import { DesktopIcon, MoonIcon, SunIcon } from '@radix-ui/react-icons'
import { SegmentedControl } from '@radix-ui/themes'

import { chooseTheme, useThemeChoice } from './theme-choice.ts'

/** Light, dark, or as the system. */
export function ThemeToggle() {
  const choice = useThemeChoice()
  return (
    <SegmentedControl.Root
      size="1"
      value={choice}
      aria-label="How the console looks"
      onValueChange={(chosen) =>
        chooseTheme(chosen === 'light' || chosen === 'dark' ? chosen : 'system')
      }
    >
      <SegmentedControl.Item value="light">
        <SunIcon aria-hidden="true" /> Light
      </SegmentedControl.Item>
      <SegmentedControl.Item value="dark">
        <MoonIcon aria-hidden="true" /> Dark
      </SegmentedControl.Item>
      <SegmentedControl.Item value="system">
        <DesktopIcon aria-hidden="true" /> System
      </SegmentedControl.Item>
    </SegmentedControl.Root>
  )
}
