import { checkable, type Indicator, isIndicator } from '@assay/reader/indicator'
import { findInside, recognise } from '@assay/reader/recognise'
import type { AssayError } from '@assay/sdk'
import { Alert, Group, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useLocation, useNavigate, useNavigationType, useParams } from 'react-router'
import { readQuery } from '../api/organisation.ts'
import { checkPath, indicatorOf } from '../history/words.tsx'
import { useHandOver } from '../shell/drops.tsx'
import { OpenFile } from '../shell/file-drop.tsx'
import { Heading, MainButton, PageLink, ProblemNotice, Quiet } from '../shell/page.tsx'
import { useAbility, useApi, useRead } from '../shell/use-session.ts'
import { say } from '../shell/words.ts'
import { Answer, EarlierAnswers } from './answer.tsx'
import { type Answered, hasNothingToCheck, useAnswers, useCheck, useTicks } from './answered.ts'
import { Entry, type EntryHandle } from './entry.tsx'
import { FoundIndicators, readingOfSeveral } from './found.tsx'
import { Kept } from './kept.tsx'
import { type ListFile, usePaste } from './use-paste.ts'

/** The state of an address that this page went to itself. */
const ASKED = 'asked'
/** In place of the text that was asked for; a field of one line cannot hold it. */
const ALL = '\n'

/** Asks, and shows the answer. A kept answer has its own address (`/console/checks/…`), which this page is for, too. */
export function Component() {
  const { id } = useParams()
  const navigate = useNavigate()
  const mayCheck = useAbility('check')
  const billing = useRead('GET /v1/billing').data
  const box = useRef<EntryHandle>(null)
  const [text, setText] = useState('')
  const [asked, setAsked] = useState<string>()
  const { answers, add } = useAnswers()
  const ticks = useTicks()
  const submission = useCheck((answer, isOnly) => {
    add(answer)
    if (isOnly) goTo(answer)
  })
  const paste = usePaste(write, !mayCheck)
  const handOver = useHandOver()

  // Back, a link or the menu leads to another answer: the box shows its entry. The address of an answer that has just come
  // leaves the box alone, because the person may be typing the next question.
  const { state } = useLocation()
  const isOwnAddress = useNavigationType() === 'PUSH' && state === ASKED
  const [shownId, setShownId] = useState(id)
  if (shownId !== id) {
    setShownId(id)
    if (!isOwnAddress) setText(answers.find(({ result }) => id !== undefined && result.check_id === id)?.entry ?? '')
  }

  const entry = text.trim()
  const recognised = checkable(recognise(text))
  // Found only by its text: an answer is never shown under another entry or under an invalid one.
  const shown = answers.find((answer) => answer.entry === entry)
  const several = isIndicator(recognised) ? [] : findInside(text)
  const reading = paste.reading ?? (several.length > 1 ? readingOfSeveral(several) : undefined)
  const wasAsked = asked === text
  const error = wasAsked || asked === ALL ? submission.error : undefined
  // Known before the address has changed: an answer that is drawn anew would lose what was typed into it.
  const keptId = shown ? shown.result.check_id : entry === '' ? id : undefined
  const kept = useQuery({
    ...readQuery(useApi(), 'GET /v1/checks/{check_id}', { path: { check_id: keptId ?? '' } }),
    enabled: keptId !== undefined,
  })

  function goTo({ result: { check_id } }: Answered): void {
    if (check_id === undefined || check_id === id) return
    // At once: the router would draw the new address after the answer, and a step back in between would not be seen.
    void navigate(checkPath(check_id), { state: ASKED, flushSync: true })
  }
  function write(changed: string): void {
    setText(changed)
    const known = answers.find((answer) => answer.entry === changed.trim())
    if (known) goTo(known)
  }
  function ask(found: Indicator | undefined): void {
    setAsked(text)
    if (found) submission.submit([{ entry, kind: found.kind, value: found.value }])
  }
  function askAll(all: readonly Indicator[]): void {
    setAsked(ALL)
    submission.submit(all.map(({ kind, value }) => ({ entry: value, kind, value })))
  }
  function choose(chosen: string): void {
    write(chosen)
    box.current?.focusCheck()
  }
  const common = { billing: shown && billing, account: paste.reading?.accounts[0] ?? '' }
  const name = shown?.value ?? (keptId !== undefined && kept.data ? indicatorOf(kept.data) : undefined)

  return (
    <Stack gap="lg" maw={980}>
      <div className="no-print breakable">
        <Heading>{name === undefined ? 'Can I trust this?' : say`Can I trust ${name}?`}</Heading>
        <Text c="dimmed" mt={6}>
          Before you pay, sign or connect: an email address, a domain or an IP address. Or paste a whole mail.
        </Text>
      </div>
      {mayCheck || id !== undefined ? null : (
        <Alert>Your role may read but not check. Ask an owner or admin for another role.</Alert>
      )}
      {paste.problem ? (
        <Alert role="alert" className="problem">
          {paste.problem}
        </Alert>
      ) : null}
      {paste.list ? <ForAnotherPage {...paste.list} handOver={handOver} /> : null}
      {mayCheck || id === undefined ? (
        <Entry
          ref={box}
          {...{ text, setText: write, recognised, wasAsked, ask, submission, billing, paste }}
          disabled={!mayCheck}
        />
      ) : null}
      {reading ? (
        <FoundIndicators
          {...{ reading, answers, choose, billing, handOver }}
          checkAll={mayCheck ? askAll : undefined}
          busy={submission.busy}
          forget={paste.reading ? paste.forget : undefined}
        />
      ) : null}
      <ProblemNotice error={error} title={error && unanswered(error)} />
      <VisuallyHidden role="status">{shown ? spoken(shown) : ''}</VisuallyHidden>
      {keptId !== undefined ? (
        <Kept key={keptId} {...{ id: keptId, shown, ticks, ...common }} query={kept} />
      ) : shown ? (
        <Answer answer={shown} {...ticks(shown.result.check_id ?? entry)} {...common} />
      ) : null}
      <EarlierAnswers answers={answers.filter((answer) => answer !== shown)} choose={choose} />
      {answers.length > 0 || error || id !== undefined || reading ? null : (
        <Group gap="sm">
          <OpenFile
            label="Open a mail"
            name="A mail (.eml, .msg)"
            accept=".eml,.msg,message/rfc822"
            open={paste.open}
            disabled={!mayCheck}
          />
          <Quiet>
            Or drop it anywhere. To vet a whole list, open <PageLink to="/console/bulk">Check a list</PageLink>.
          </Quiet>
        </Group>
      )}
    </Stack>
  )
}

function ForAnotherPage({ file, words, handOver }: ListFile & { handOver: ReturnType<typeof useHandOver> }) {
  return (
    <Alert role="alert" title={`“${file.name}” is ${words}, not a mail`}>
      <Text size="sm">Check a list reads it, and shows what is in it before anything is paid.</Text>
      <Group mt="sm">
        <MainButton
          size="sm"
          label="Open it in Check a list"
          onClick={() => handOver('/console/bulk', { name: file.name, source: file })}
        />
      </Group>
    </Alert>
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
