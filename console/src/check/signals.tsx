import type { Signal } from '@assay/sdk'
import { Box, Code, Text } from '@mantine/core'
import { ago, day } from '../shell/format.ts'
import { Quiet } from '../shell/page.tsx'
import { visible } from './words.ts'

const SCALE_MIN = 20

export function Signals(props: { signals: readonly Signal[]; start: number | undefined; score: number }) {
  const { signals, start, score } = props
  const scale = Math.max(SCALE_MIN, ...signals.map(({ effect }) => Math.abs(effect)))
  return (
    <ul className="bare lines-between signals">
      {start === undefined ? null : <Total words={`Starts at ${start}`} points={start} hint="as every score does" />}
      {signals.map((signal, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one code may be found in several sources, and the list never changes
        <li key={`${signal.code} ${index}`}>
          <div>
            <bdi>{visible(signal.description)}</bdi>
            <Text size="xs" c="dimmed">
              {signal.source}
              <Seen signal={signal} /> <Code fz="xs">{signal.code}</Code>
            </Text>
          </div>
          <Effect effect={signal.effect} scale={scale} />
        </li>
      ))}
      {signals.length === 0 ? (
        <li>
          <Quiet>No signal moves it.</Quiet>
        </li>
      ) : null}
      <Total words="Score" points={score} hint="of 100" />
    </ul>
  )
}

function Total({ words, points, hint }: { words: string; points: number; hint: string }) {
  return (
    <li className="signal-total">
      <span>
        {words}{' '}
        <Text size="xs" c="dimmed" component="span">
          {hint}
        </Text>
      </span>
      <Text component="span" className="tabular">
        {points}
      </Text>
    </li>
  )
}

function Seen({ signal: { first_seen, last_seen } }: { signal: Signal }) {
  if (last_seen === null) return null
  const since = first_seen !== null && first_seen !== last_seen ? `, first ${day(first_seen)}` : ''
  return (
    <span title={`${day(last_seen)}${since}`}>
      {' '}
      · seen {ago(last_seen)}
      {since}
    </span>
  )
}

function Effect({ effect, scale }: { effect: number; scale: number }) {
  const words =
    effect === 0 ? 'changes nothing' : effect > 0 ? `raises the score by ${effect}` : `lowers it by ${-effect}`
  return (
    <div className="effect" role="img" aria-label={words} title={words}>
      <Box
        className="no-print"
        pos="absolute"
        w={`${(Math.abs(effect) / scale) * 50}%`}
        bg={effect < 0 ? 'var(--assay-good)' : 'var(--assay-bad)'}
        style={{ inset: effect < 0 ? '0.2rem 50% 0.2rem auto' : '0.2rem auto 0.2rem 50%' }}
      />
      <span className="effect-number tabular" aria-hidden="true">
        {effect > 0 ? `+${effect}` : effect < 0 ? `−${-effect}` : '0'}
      </span>
    </div>
  )
}
