import { LEVELS } from '@assay/sdk'
import { Box, Flex, Text } from '@mantine/core'
import { useMemo } from 'react'
import { type Level, levelOf } from '../check/level.ts'
import { count, counted } from '../shell/format.ts'
import { Figure, Figures, Panel } from '../shell/page.tsx'
import { type Answered, type List, standingOf } from './list.ts'
import { hasScore } from './table.ts'

const LEVEL_NAMES = Object.keys(LEVELS) as Level[]
const BINS = 20
const AXIS = { borderBottom: '1px solid var(--assay-field-line)' }
const MARKS = [...Object.values(LEVELS).map(({ from }) => from), 100]

export function Distribution({ list, answered }: { list: List; answered: Answered }) {
  const { rows } = answered
  const bins = useMemo(() => binsOf(list, answered), [list, answered])
  const most = Math.max(1, ...bins.map(({ height }) => height))
  const total = LEVEL_NAMES.reduce((sum, level) => sum + rows[level], 0)
  const words = LEVEL_NAMES.map((level) => `${count(rows[level])} ${level}`).join(', ')
  return (
    <Panel title="Levels">
      <Flex direction={{ base: 'column', sm: 'row' }} gap="1.25rem 2.5rem" align={{ sm: 'end' }}>
        <Figures>
          {LEVEL_NAMES.map((level) => (
            <Figure
              key={level}
              label={
                <span className="level" data-level={level}>
                  {level}
                </span>
              }
              value={
                <>
                  {count(rows[level])}{' '}
                  <Text span size="sm" c="dimmed">
                    {total === 0 ? 0 : Math.round((rows[level] / total) * 100)}%
                  </Text>
                </>
              }
            />
          ))}
          {rows.nothing > 0 ? <Figure label="Nothing to check" value={count(rows.nothing)} /> : null}
        </Figures>
        <Box flex={1}>
          <Flex gap={3} align="end" h="6rem" style={AXIS} role="img" aria-label={`Scores from 0 to 100: ${words}`}>
            {bins.map(({ from, height }) => (
              <Box
                key={from}
                flex={1}
                bg="var(--level-colour)"
                data-level={levelOf(from)}
                title={`Score ${from} and up: ${counted(height, 'row')}`}
                // A single row stays visible beside a hundred thousand.
                h={height === 0 ? 0 : `${Math.max(4, (height / most) * 100)}%`}
              />
            ))}
          </Flex>
          <Box pos="relative" h="1.5rem" fz="xs" c="dimmed" aria-hidden>
            {MARKS.map((mark) => (
              <Box
                key={mark}
                pos="absolute"
                left={`${mark}%`}
                style={{ translate: `-${mark % 100 === 0 ? mark : 50}%` }}
              >
                {mark}
              </Box>
            ))}
          </Box>
        </Box>
      </Flex>
    </Panel>
  )
}

function binsOf({ times }: List, { scores, standings }: Answered): { readonly from: number; height: number }[] {
  const bins = Array.from({ length: BINS }, (_, bin) => ({ from: (bin * 100) / BINS, height: 0 }))
  for (const [record, score] of scores.entries()) {
    if (!hasScore(standingOf(standings[record]))) continue
    const bin = bins[Math.min(BINS - 1, Math.floor((score * BINS) / 100))]
    if (bin) bin.height += times[record] ?? 0
  }
  return bins
}
