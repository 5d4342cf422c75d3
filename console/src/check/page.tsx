import './check.css'
import { findIndicators } from '@assay/reader/find'
import { type Indicator, isIndicator } from '@assay/reader/indicator'
import { recognise } from '@assay/reader/recognise'
import type { AssayError } from '@assay/sdk'
import { Alert, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useRef, useState } from 'react'
import { Heading, PageLink, ProblemNotice, Quiet } from '../shell/page.tsx'
import { useAbility, useRead } from '../shell/use-session.ts'
import { Answer, EarlierAnswers } from './answer.tsx'
import { type Answered, hasNothingToCheck, useAnswers, useCheck } from './answered.ts'
import { Entry, type EntryHandle } from './entry.tsx'
import { Found, readingOfSeveral } from './found.tsx'
import { usePaste } from './use-paste.ts'

export function Component() {
  const mayCheck = useAbility('check')
  const billing = useRead('GET /v1/billing').data
  const box = useRef<EntryHandle>(null)
  const [text, setText] = useState('')
  const [asked, setAsked] = useState<string>()
  const { answers, add, tick } = useAnswers()
  const submission = useCheck(add)
  const paste = usePaste(setText)

  const entry = text.trim()
  const recognised = recognise(text)
  // Found only by its text: an answer is never shown under another entry or under an invalid one.
  const shown = answers.find((answer) => answer.entry === entry)
  const several = isIndicator(recognised) ? [] : findIndicators(text)
  const reading = paste.reading ?? (several.length > 1 ? readingOfSeveral(several) : undefined)
  const wasAsked = asked === text
  const error = wasAsked ? submission.error : undefined

  function ask(found: Indicator | undefined): void {
    setAsked(text)
    if (found) submission.submit({ entry, kind: found.kind, value: found.value })
  }
  function choose(chosen: string): void {
    setText(chosen)
    box.current?.focusCheck()
  }

  return (
    <Stack gap="lg" maw={980}>
      <div className="no-print">
        <Heading>Can I trust this?</Heading>
        <Text c="dimmed" mt={6}>
          Before you pay, sign or connect: an email address, a domain or an IP address. Or paste a whole mail.
        </Text>
      </div>
      {mayCheck ? null : <Alert>Your role may read but not check. Ask an owner or admin for another role.</Alert>}
      {paste.problem ? (
        <Alert role="alert" className="problem">
          {paste.problem}
        </Alert>
      ) : null}
      <Entry
        ref={box}
        {...{ text, setText, recognised, wasAsked, ask, submission, billing, paste }}
        disabled={!mayCheck}
      />
      {reading ? <Found {...{ reading, answers, choose }} forget={paste.reading ? paste.forget : undefined} /> : null}
      <ProblemNotice error={error} title={error && unanswered(error)} />
      <VisuallyHidden role="status">{shown ? spoken(shown) : ''}</VisuallyHidden>
      {shown ? (
        <Answer
          answer={shown}
          billing={billing}
          account={paste.reading?.accounts[0] ?? ''}
          onTick={(step) => tick(shown, step)}
        />
      ) : null}
      <EarlierAnswers answers={answers.filter((answer) => answer !== shown)} choose={choose} />
      {answers.length > 0 || error ? null : (
        <Quiet>
          To vet a whole list, open <PageLink to="/console/bulk">Check a list</PageLink>.
        </Quiet>
      )}
    </Stack>
  )
}

/** The service does not charge a refused request. If no answer came, only a retry can show the result. */
function unanswered({ outcome }: AssayError): string {
  return outcome === 'unknown'
    ? 'There is no answer, and it is unknown whether it was charged. Check again: it is charged once'
    : 'There is no answer, and nothing was charged'
}

function spoken({ value, result }: Answered): string {
  const level = hasNothingToCheck(result) ? 'nothing to check' : `${result.risk}, ${result.risk_score} of 100`
  return `The answer for ${value}: ${level}.`
}
