import { Link as Styled } from '@radix-ui/themes'
import type { ReactNode } from 'react'
import { Link, type LinkProps } from 'react-router'

export interface TextLinkProps extends Pick<LinkProps, 'to' | 'replace' | 'preventScrollReset'> {
  readonly children: ReactNode
}

/** A link to another page of the console, in running text or a table. */
export function TextLink({ children, ...rest }: TextLinkProps) {
  return (
    <Styled asChild>
      <Link {...rest}>{children}</Link>
    </Styled>
  )
}
