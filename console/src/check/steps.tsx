import { Checkbox, Stack, Text } from '@mantine/core'
import { Panel } from '../shell/page.tsx'
import type { Answered } from './answered.ts'
import { nextSteps } from './next-steps.ts'

/** The ticks are the person's own: they stay with the answer and are printed. */
export function StepsPanel({ answer, onTick }: { answer: Answered; onTick: (step: number) => void }) {
  const { steps } = nextSteps(answer.kind, answer.result.risk)
  return (
    <Panel title="What to do">
      <Stack gap="sm" component="ol" className="bare steps">
        {steps.map((step, index) => (
          <li key={step}>
            <Checkbox size="md" label={step} checked={answer.ticked.includes(index)} onChange={() => onTick(index)} />
          </li>
        ))}
      </Stack>
      <Text size="sm" c="dimmed" className="no-print">
        Ticks are for you: they stay with this answer until you leave the page, and go into the copy and the print.
      </Text>
    </Panel>
  )
}
