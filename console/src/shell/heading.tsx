import { Title } from '@mantine/core'
import { useEffect, useRef } from 'react'

/**
 * The one h1 of a page. It names the tab, and takes the focus when the page replaced another, so that a screen
 * reader starts there; a page with a form moves the focus on to its first field.
 */
export function Heading({ children }: { children: string }) {
  const ref = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${children} · Assay`
    const focused = document.activeElement
    if (focused === null || focused === document.body || !focused.isConnected) ref.current?.focus()
  }, [children])
  return (
    <Title order={1} ref={ref} tabIndex={-1} fz={{ base: '1.7rem', sm: '2rem' }} lh={1.2}>
      {children}
    </Title>
  )
}
