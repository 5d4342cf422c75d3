import './sheet.css'
import { Box, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Guilloche } from '../brand/guilloche.tsx'
import { type Outcome, Seal, Wordmark } from '../brand/mark.tsx'
import { Heading } from './heading.tsx'
import type { Words } from './words.ts'

/** The frame of every page with a single question or message: sign-in, consent, device, done, error. */
export function Sheet(props: {
  title: Words
  lead?: ReactNode
  /** Set when the page reports an outcome. */
  outcome?: Outcome
  children?: ReactNode
}) {
  return (
    <div className="sheet">
      <aside className="sheet-panel" aria-label="About Assay">
        <Wordmark inverted />
        <Guilloche />
        <Text pos="relative" maw="22rem" ff="heading" fz="1.35rem" lh={1.4}>
          Know who you are dealing with before you pay, sign or connect.
        </Text>
      </aside>
      <main className="sheet-main">
        <Box w="100%" maw="27rem" mx="auto">
          <div className="sheet-brand">
            <Wordmark />
          </div>
          <Stack gap="lg">
            <div>
              {props.outcome ? <Seal outcome={props.outcome} /> : null}
              <Heading>{props.title}</Heading>
              {props.lead ? (
                <Text component="div" mt={8} c="dimmed">
                  {props.lead}
                </Text>
              ) : null}
            </div>
            {props.children}
          </Stack>
        </Box>
      </main>
    </div>
  )
}
