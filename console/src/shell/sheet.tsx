import './sheet.css'
import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Guilloche } from '../brand/guilloche.tsx'
import { type Outcome, Seal, Wordmark } from '../brand/mark.tsx'
import { Heading } from './heading.tsx'
import type { Words } from './words.ts'

/** The frame of every page that asks or tells one thing: sign-in, consent, device, done, error. */
export function Sheet({
  title,
  lead,
  outcome,
  children,
}: {
  title: Words
  lead?: ReactNode
  /** Set where the page tells how something ended. */
  outcome?: Outcome
  children?: ReactNode
}) {
  return (
    <div className="sheet">
      <aside className="sheet-panel" aria-label="About Assay">
        <Wordmark inverted />
        <Guilloche />
        <p>Know who you are dealing with before you pay, sign or connect.</p>
      </aside>
      <main className="sheet-main">
        <div className="sheet-body">
          <div className="sheet-brand">
            <Wordmark />
          </div>
          <Stack gap="lg">
            <div>
              {outcome ? <Seal outcome={outcome} /> : null}
              <Heading>{title}</Heading>
              {lead ? (
                <Text component="div" mt={8} c="dimmed">
                  {lead}
                </Text>
              ) : null}
            </div>
            {children}
          </Stack>
        </div>
      </main>
    </div>
  )
}
