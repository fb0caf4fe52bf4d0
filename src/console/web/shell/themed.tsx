import { Theme } from '@radix-ui/themes'
import type { ReactNode } from 'react'

import { useAppearance } from './theme-choice.ts'

/** The look of everything in the console, light or dark. */
export function Themed({ children }: { readonly children: ReactNode }) {
  return (
    <Theme
      appearance={useAppearance()}
      accentColor="indigo"
      grayColor="slate"
      radius="medium"
      scaling="95%"
      panelBackground="solid"
    >
      {children}
    </Theme>
  )
}
