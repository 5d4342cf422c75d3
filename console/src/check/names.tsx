import { compareNames, differencesInWords, type Stretch, seenName } from '@assay/reader/look-alike'
import type { CheckAnswer } from '@assay/sdk'
import { Text } from '@mantine/core'
import { Facts, Panel } from '../shell/page.tsx'
import { visible } from './visible.ts'

/** The checked name above the real one, aligned letter by letter; differences are also explained in words. */
export function LookAlikePanel({ value, result }: { value: string; result: CheckAnswer }) {
  const { resembles = [], international } = result
  if (resembles.length === 0) return null
  const name = seenName(value, international?.unicode)
  return (
    <Panel title="Not the name it may be taken for">
      {resembles.map((real) => (
        <NamePair key={real} name={name} real={real} />
      ))}
    </Panel>
  )
}

function NamePair({ name, real }: { name: string; real: string }) {
  const stretches = compareNames(name, real)
  const words = differencesInWords(stretches)
  return (
    <div>
      <Facts
        of={{
          'This one': <Letters stretches={stretches} side="seen" />,
          'Real one': <Letters stretches={stretches} side="real" />,
        }}
      />
      <Text mt="xs">
        <bdi>{visible(name)}</bdi> is not <bdi>{visible(real)}</bdi>
        {words === '' ? '.' : <>: {visible(words)}.</>}
      </Text>
    </div>
  )
}

function Letters({ stretches, side }: { stretches: readonly Stretch[]; side: keyof Stretch }) {
  return (
    <bdi className="name-letters">
      {stretches.map((stretch, index) => {
        const text = visible(stretch[side])
        const key = `${index} ${text}`
        if (stretch.seen === stretch.real) return <span key={key}>{text}</span>
        const missing = Math.max(visible(stretch.seen).length, visible(stretch.real).length) - text.length
        return (
          <mark key={key}>
            {text}
            <span aria-hidden="true">{'\u00a0'.repeat(missing)}</span>
          </mark>
        )
      })}
    </bdi>
  )
}

export function BothForms({ international }: { international: CheckAnswer['international'] | undefined }) {
  if (!international) return null
  return (
    <Text size="sm" mt={4}>
      The name reads <bdi className="mono">{visible(international.unicode)}</bdi> and is{' '}
      <bdi className="mono">{international.ascii}</bdi> in the DNS.
      {international.mixed === null ? null : (
        <>
          {' '}
          <span className="fact-mark">Mixed alphabets</span> <bdi>{visible(international.mixed)}</bdi>.
        </>
      )}
    </Text>
  )
}
