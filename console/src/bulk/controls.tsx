import { Group } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Answers, Dialog } from '../shell/form.tsx'
import { count, counted } from '../shell/format.ts'
import { MainButton, QuietButton } from '../shell/page.tsx'
import { useSubmit } from '../shell/use-session.ts'
import type { List } from './list.ts'
import { remove, useSender } from './lists.ts'
import type { Run, Runner } from './runner.ts'

export function stateWords({ phase, answered, list, rest, agreed, doubt }: Run): string {
  const far = `${count(answered.done)} of ${counted(list.times.length, 'record')}`
  if (phase === 'running') return `Checking: ${far}`
  if (phase === 'elsewhere') return `Checking in another tab: ${far}`
  if (phase === 'finished') return `Finished: ${far}`
  if (doubt) return `Needs your decision: ${far}`
  return rest > 0 && agreed.records === 0 ? `Waiting: ${far}` : `Stopped: ${far}`
}

export function Controls({ runner, run, size }: { runner: Runner; run: Run; size: 'xs' | 'sm' }) {
  const sender = useSender()
  const [asking, setAsking] = useState<true>()
  const { phase, agreed, doubt, list } = run
  const isUnderWay = phase === 'running' || phase === 'elsewhere'
  return (
    <Group gap="xs">
      {isUnderWay ? <QuietButton size={size} onClick={() => runner.pause()} label="Pause" /> : null}
      {phase === 'stopped' && agreed.records > 0 && !doubt ? (
        <MainButton size={size} onClick={() => void runner.goOn(sender)} label="Continue" />
      ) : null}
      <QuietButton
        size={size}
        onClick={() => {
          // Another tab may have sent more since its last message.
          void runner.refresh()
          setAsking(true)
        }}
        label="Remove"
      />
      <Dialog about={asking} title={() => `Remove ${list.name}?`} onClose={() => setAsking(undefined)}>
        {() => <Removal runner={runner} run={run} />}
      </Dialog>
    </Group>
  )
}

function Removal({ runner, run }: { runner: Runner; run: Run }) {
  const navigate = useNavigate()
  const removal = useSubmit(async () => {
    await remove(runner)
    await navigate('/console/bulk')
  })
  const { answered, underWay } = run
  return (
    <Answers submission={removal} yes="Remove" no="Keep it" grave onYes={() => removal.submit()}>
      {answered.done > 0
        ? `Only this browser has the ${counted(answered.done, 'answer')} of this list. Download the report first if you need it: checking again costs again.`
        : 'None of its records was answered yet.'}
      {underWay > 0
        ? ` The service may charge for ${counted(underWay, 'record')} that it has not answered yet: those answers would be lost.`
        : ''}
    </Answers>
  )
}

type Counts = { readonly duplicates: number } & Pick<List, 'unread' | 'nothing' | 'blank'>

/** The same numbers before a list is checked and after. */
export const countFigures = (records: number, { duplicates, unread, nothing = 0, blank }: Counts) => ({
  'To check': count(records),
  'Duplicates, checked once': count(duplicates),
  'Cannot be checked': count(unread - nothing),
  'Nothing to check': nothing > 0 && count(nothing),
  'Empty rows': blank > 0 && count(blank),
})
