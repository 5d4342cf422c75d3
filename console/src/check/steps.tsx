import { Checkbox, Stack, Text } from '@mantine/core'
import type { Answered } from './answered.ts'
import { nextSteps } from './next-steps.ts'

/** What to do now, as a list to tick off. The ticks are the person's own: they stay with the answer and are printed. */
export function StepsPanel({ answer, onTick }: { answer: Answered; onTick: (step: number) => void }) {
  const { steps } = nextSteps(answer.kind, answer.result.risk)
  return (
    <section className="panel" aria-labelledby="steps">
      <h2 id="steps">What to do</h2>
      <Stack gap="sm" component="ol" className="steps">
        {steps.map((step, index) => (
          <li key={step}>
            <Checkbox size="md" label={step} checked={answer.ticked.includes(index)} onChange={() => onTick(index)} />
          </li>
        ))}
      </Stack>
      <Text size="sm" c="dimmed" mt="sm" className="no-print">
        Ticks are for you: they stay with this answer until you leave the page, and go into the copy and the print.
      </Text>
    </section>
  )
}
