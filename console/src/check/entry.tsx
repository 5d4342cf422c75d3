import { type Indicator, isIndicator, isNothingToCheck, type Recognised } from '@assay/reader/indicator'
import { aKind } from '@assay/reader/kinds'
import { KINDS } from '@assay/sdk'
import { Flex, Text, TextInput } from '@mantine/core'
import { type FormEvent, type Ref, useImperativeHandle, useLayoutEffect, useRef } from 'react'
import type { Billing } from '../api/organisation.ts'
import { SubmitButton } from '../shell/form.tsx'
import { counted, money } from '../shell/format.ts'
import type { Submission } from '../shell/use-session.ts'
import { ENTRY_LENGTH_MAX, type usePaste } from './use-paste.ts'

/** Moves the focus to *Check*: the box was filled automatically, and the price is shown beside the button. */
export type EntryHandle = { focusCheck(): void }

interface EntryProps {
  readonly ref: Ref<EntryHandle>
  readonly text: string
  readonly setText: (text: string) => void
  readonly recognised: Recognised
  readonly wasAsked: boolean
  readonly ask: (found: Indicator | undefined) => void
  readonly submission: Pick<Submission<never>, 'busy' | 'waitSeconds'>
  readonly billing: Billing | undefined
  readonly paste: Pick<ReturnType<typeof usePaste>, 'onPaste'>
  readonly disabled: boolean
}

export function Entry(props: EntryProps) {
  const { text, recognised, disabled } = props
  const box = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => box.current?.focus(), [])
  useImperativeHandle(props.ref, () => ({ focusCheck: () => button.current?.focus() }), [])

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    const found = isIndicator(recognised) ? recognised : undefined
    props.ask(found)
    if (!found) box.current?.focus()
  }

  // Private addresses and names that nobody can register are reported before the check and not sent.
  const isTold = props.wasAsked || (!isIndicator(recognised) && isNothingToCheck(recognised.problem))
  return (
    <Flex
      component="form"
      className="no-print"
      gap="sm"
      direction={{ base: 'column', xs: 'row' }}
      onSubmit={onSubmit}
      noValidate
      aria-label="Check"
    >
      <TextInput
        ref={box}
        flex={1}
        aria-label="Email address, domain or IP address"
        placeholder="accounts@supplier.com, supplier.com or 203.0.113.7"
        size="lg"
        value={text}
        onChange={(event) => props.setText(event.currentTarget.value)}
        onPaste={props.paste.onPaste}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={ENTRY_LENGTH_MAX}
        disabled={disabled}
        error={isIndicator(recognised) || !isTold ? undefined : recognised.problem}
        description={<Hint recognised={recognised} billing={props.billing} />}
        inputWrapperOrder={['input', 'error', 'description']}
      />
      <SubmitButton ref={button} submission={props.submission} label="Check" size="lg" disabled={disabled} />
    </Flex>
  )
}

function Hint({ recognised, billing }: { recognised: Recognised; billing: Billing | undefined }) {
  if (!isIndicator(recognised)) return billing ? whatIsLeft(billing) : null
  const price = billing?.plan.unit_price_pence[KINDS[recognised.kind].family]
  const cost =
    price === undefined || !billing
      ? ''
      : billing.free_units_left > 0 || price === 0
        ? ' · this check is free'
        : ` · costs ${money(price)}`
  return (
    <>
      This is <strong>{aKind(recognised.kind)}</strong>
      {cost}
      {recognised.notes.map((note) => (
        <Text span inherit key={note} c="var(--assay-warn-ink)">
          {' '}
          {note}
        </Text>
      ))}
    </>
  )
}

function whatIsLeft(billing: Billing): string {
  const free = billing.free_units_left > 0 ? `${counted(billing.free_units_left, 'free check')} and ` : ''
  return `${free}${money(billing.credit_pence)} of credit left`
}
