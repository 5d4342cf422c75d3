import { Title } from '@mantine/core'
import { useLayoutEffect, useRef } from 'react'
import { plainWords, Said, type Words } from './words.ts'

/** This document has shown a page before. */
let shownBefore = false

/**
 * The only h1 of a page. It names the tab, and takes the focus when the page replaced another without a load, so that a
 * screen reader starts there; a page with a form moves the focus to its first field. This happens before the page is
 * drawn: a person who starts to type immediately types into that field.
 */
export function Heading({ children }: { children: Words }) {
  const title = plainWords(children)
  const ref = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    // After a load the browser automatically starts at the top, where the console has its skip link.
    if (shownBefore) ref.current?.focus()
    shownBefore = true
  }, [])
  useLayoutEffect(() => {
    document.title = `${title} · Assay`
  }, [title])
  return (
    <Title order={1} ref={ref} tabIndex={-1} fz={{ base: '1.7rem', sm: '2rem' }} lh={1.2}>
      <Said of={children} />
    </Title>
  )
}
