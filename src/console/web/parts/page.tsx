import { Flex, Heading, Text } from '@radix-ui/themes'
import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

export interface PageProps {
  readonly title: string
  /** One sentence on what is here. */
  readonly description?: ReactNode
  /** What can be done here, at the right of the heading. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A page: its heading, which is also the document's title and where the focus goes when one comes to it. */
export function Page({ title, description, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { key, pathname } = useLocation()
  useEffect(() => {
    document.title = `${title} · Parley`
  }, [title])
  useEffect(() => {
    // The first page of a visit has the key `default`: there the browser decides where the focus is.
    if (key !== 'default') heading.current?.focus()
    // What is filtered by stands in the address too; whoever types there keeps the focus.
  }, [pathname])
  return (
    <article className="page">
      <Flex className="page-head" justify="between" align="start" gap="4" wrap="wrap">
        <div>
          <Heading as="h1" size="6" ref={heading} tabIndex={-1}>
            {title}
          </Heading>
          {description !== undefined && (
            <Text as="p" size="2" color="gray" mt="1">
              {description}
            </Text>
          )}
        </div>
        {actions !== undefined && (
          <Flex gap="2" align="center" wrap="wrap">
            {actions}
          </Flex>
        )}
      </Flex>
      {children}
    </article>
  )
}

export interface SectionProps {
  readonly title: string
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A part of a page with a heading of its own. */
export function Section({ title, actions, children }: SectionProps) {
  return (
    <section className="section">
      <Flex justify="between" align="center" gap="3" mb="2" wrap="wrap">
        <Heading as="h2" size="3">
          {title}
        </Heading>
        <div className="section-actions">{actions}</div>
      </Flex>
      {children}
    </section>
  )
}
