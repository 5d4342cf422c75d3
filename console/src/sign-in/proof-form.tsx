import { Text, TextInput } from '@mantine/core'
import { useLayoutEffect, useRef, useState } from 'react'
import type { SecondStep, Way } from '../api/generated/pages.ts'
import { askPasskey, knowsPasskeys, type Proof } from '../api/proof.ts'
import { Form, PresentPasswordInput, SubmitButton } from '../shell/form.tsx'
import { ButtonLine, MainButton } from '../shell/page.tsx'
import { useSubmit } from '../shell/use-session.ts'

export type AnyProof = Proof | { readonly password: string }
type AnyWay = Way | 'password'

const INSTEAD: Readonly<Record<AnyWay, string>> = {
  password: 'Use the password instead',
  passkey: 'Use a passkey instead',
  code: 'Use a one-time code instead',
  recovery_code: 'Use a recovery code instead',
}

const MISSING: Readonly<Partial<Record<AnyWay, string>>> = {
  password: 'Enter your password.',
  code: 'Enter the code.',
  recovery_code: 'Enter a recovery code.',
}

export function ProofForm(props: {
  asked: Pick<SecondStep['second_factor'], 'passkey'>
  ways: readonly AnyWay[]
  label: string
  onProof: (proof: AnyProof) => Promise<void>
}) {
  const { passkey } = props.asked
  const ways = props.ways.filter((one) => one !== 'passkey' || (passkey !== null && knowsPasskeys()))
  const [chosen, setChosen] = useState<AnyWay>()
  const way = chosen ?? ways[0]
  const field = useRef<HTMLInputElement>(null)
  /** The way whose field was sent empty. */
  const [missing, setMissing] = useState<AnyWay>()
  const submission = useSubmit(async (given: AnyWay) => {
    const typed = field.current?.value ?? ''
    if (given === 'password') return props.onProof({ password: typed })
    if (given !== 'passkey') return props.onProof({ [given]: typed.trim() } as Proof)
    if (passkey) await props.onProof({ passkey: await askPasskey(passkey) })
  })
  const { error } = submission

  useLayoutEffect(() => {
    if (way !== 'passkey') field.current?.focus()
  }, [way])

  // A refused proof is never right the second time: empty the field.
  useLayoutEffect(() => {
    if (error === undefined || field.current === null) return
    field.current.value = ''
    field.current.focus()
  }, [error])

  function send(): void {
    if (way === undefined) return
    const empty = way !== 'passkey' && (field.current?.value.trim() ?? '') === ''
    setMissing(empty ? way : undefined)
    if (empty) field.current?.focus()
    else submission.submit(way)
  }

  if (way === undefined) {
    return (
      <Text size="sm">
        This browser supports none of your second factors. Use another browser, or ask the operator.
      </Text>
    )
  }
  return (
    <Form label={props.label} error={error} onSubmit={send}>
      <ProofField way={way} field={field} missing={missing === way} />
      {way === 'passkey' ? (
        <MainButton type="submit" size="md" loading={submission.busy} autoFocus label="Use a passkey" />
      ) : (
        <SubmitButton submission={submission} label="Confirm" />
      )}
      {ways
        .filter((other) => other !== way)
        .map((other) => (
          <ButtonLine key={other} label={INSTEAD[other]} onClick={() => setChosen(other)} />
        ))}
    </Form>
  )
}

const FIELDS = {
  code: {
    label: 'One-time code',
    description: 'The six digits that your app shows now.',
    inputMode: 'numeric',
    autoComplete: 'one-time-code',
    maxLength: 12,
  },
  recovery_code: {
    label: 'Recovery code',
    description: 'One of your ten recovery codes. Each works once.',
    autoComplete: 'off',
    autoCapitalize: 'none',
    spellCheck: false,
    maxLength: 60,
  },
} as const

function ProofField(props: { way: AnyWay; field: React.RefObject<HTMLInputElement | null>; missing: boolean }) {
  const { way, field, missing } = props
  const shared = { ref: field, size: 'md', error: missing ? MISSING[way] : undefined } as const
  if (way === 'password') return <PresentPasswordInput {...shared} />
  if (way === 'code' || way === 'recovery_code') return <TextInput key={way} {...FIELDS[way]} {...shared} />
  return <Text size="sm">Your device asks for a finger, your face or its PIN.</Text>
}
