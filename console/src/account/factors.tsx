import { Code, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { encode } from 'uqr'
import type { Factors as OwnFactors, Passkey } from '../api/generated/pages.ts'
import { saveAs } from '../api/organisation.ts'
import { forgetPasskey, knowsPasskeys, makePasskey } from '../api/proof.ts'
import { sessionQuery } from '../api/session.ts'
import { ProofSteps } from '../shell/ask-again.tsx'
import { CopyButton, Dialog, DialogButton, Form, Secret, SubmitButton, useFields } from '../shell/form.tsx'
import { ago, day } from '../shell/format.ts'
import { ConsolePage, Loaded, MainButton, Panel, Quiet, QuietButton, SureButton } from '../shell/page.tsx'
import { twoLines, WideTable } from '../shell/table.tsx'
import { useOrganisation, useOwn, useOwnChange, useSession } from '../shell/use-session.ts'

interface PartProps {
  readonly own: OwnFactors
  readonly done: (recoveryCodes: readonly string[] | null) => unknown
}

/** A person's second factors: passkeys, one-time codes, and recovery codes for the loss of both. */
export function Factors() {
  const queries = useQueryClient()
  const factors = useOwn('GET /api/factors')
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>()
  /** The session says how it was opened. New codes are shown first: a waiting organisation then replaces this page. */
  const done = (codes: readonly string[] | null) => {
    setRecoveryCodes(codes ?? undefined)
    return codes ?? queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
  }
  return (
    <Stack gap="lg">
      <Loaded query={factors}>
        {(own) => (
          <>
            <Passkeys own={own} done={done} />
            <OneTimeCodes own={own} done={done} />
            <RecoveryCodes own={own} done={done} />
          </>
        )}
      </Loaded>
      <RecoveryCodesDialog codes={recoveryCodes} onClose={() => done(null)} />
    </Stack>
  )
}

function Passkeys({ own, done }: PartProps) {
  const { values, field, reset } = useFields({ passkey: '' })
  const input = useRef<HTMLInputElement>(null)
  const [missing, setMissing] = useState(false)
  const adding = useOwnChange(async (api, given: string) => {
    const { ticket, passkey: options } = await api.call('POST /api/factors/passkeys/begin', {})
    const body = { ticket, name: given, passkey: await makePasskey(options) }
    const { recovery_codes: codes } = await api.call('POST /api/factors/passkeys', { body })
    reset()
    await done(codes)
  })
  const removing = useOwnChange(async (api, id: string) => {
    await api.call('POST /api/factors/passkeys/remove', { body: { id } })
    forgetPasskey(id)
    await done(null)
  })
  const name = values.passkey.trim()
  function add(): void {
    setMissing(name === '')
    if (name === '') input.current?.focus()
    else adding.submit(name)
  }
  return (
    <Panel title="Passkeys" error={adding.error ?? removing.error} failed="Nothing was changed">
      <Text size="sm">
        A passkey stays on your phone, computer or security key and opens with a finger, your face or a PIN. It signs
        you in without a password, and only at this address: no other site can steal it. A security key without a PIN
        does not know who touches it, so it only confirms your password.
      </Text>
      <WideTable
        label="Passkeys"
        empty="You have no passkey yet."
        rows={own.passkeys}
        columns={{
          Name: [(passkey) => passkey.name, 'name'],
          'Signs in': (passkey) =>
            passkey.user_verified ? 'alone' : twoLines('after the password', 'security key without a PIN'),
          Added: (passkey) => day(passkey.created_at),
          'Last used': ({ used_at: used }) => (used === null ? 'not yet' : ago(used)),
          Stored: (passkey) => (passkey.backed_up ? 'synced with your account' : 'on one device'),
          Change: (passkey) => (
            <Group gap="xs">
              <DialogButton label="Rename" ariaLabel={`Rename ${passkey.name}`} title="Rename the passkey">
                <RenamePasskey passkey={passkey} />
              </DialogButton>
              <SureButton label="Remove" of={removing} input={passkey.id} />
            </Group>
          ),
        }}
      />
      {!own.passkeys_work ? (
        <Text size="sm" role="note">
          Browsers allow passkeys only at an https address with a name, and this server is not set up with one. Use
          one-time codes, or ask the operator.
        </Text>
      ) : !knowsPasskeys() ? (
        <Text size="sm" role="note">
          This browser cannot use passkeys here. Open this page over https in another one, or use one-time codes.
        </Text>
      ) : (
        <Form label="Add a passkey" row onSubmit={add}>
          <TextInput
            ref={input}
            label="Name of the new passkey"
            placeholder="My phone"
            maxLength={200}
            {...field('passkey')}
            error={missing ? 'Give it a name, so that you recognise it.' : undefined}
          />
          <MainButton type="submit" loading={adding.busy} label="Add a passkey" />
        </Form>
      )}
    </Panel>
  )
}

function RenamePasskey({ passkey }: { passkey: Passkey }) {
  const { values, field } = useFields({ name: passkey.name })
  const renaming = useOwnChange((api, name: string) =>
    api.call('POST /api/factors/passkeys/rename', { body: { id: passkey.id, name } }),
  )
  const name = values.name.trim()
  return (
    <Form
      label="Rename the passkey"
      error={renaming.error}
      failed="Nothing was changed"
      onSubmit={() => name !== '' && renaming.submit(name)}
    >
      <TextInput label="Name" maxLength={200} data-autofocus {...field('name')} />
      <SubmitButton submission={renaming} label="Rename" />
    </Form>
  )
}

function OneTimeCodes(props: PartProps) {
  const { own, done } = props
  const [made, setMade] = useState<{ readonly secret: string; readonly uri: string }>()
  const begin = useOwnChange(async (api) => setMade(await api.call('POST /api/factors/codes/begin', {})))
  const remove = useOwnChange((api) => api.call('DELETE /api/factors/codes', {}).then(() => done(null)))
  return (
    <Panel title="One-time codes" error={begin.error ?? remove.error} failed="Nothing was changed">
      <Text size="sm">
        An app on your phone, or a password manager, shows six digits that change every 30 seconds. You type them after
        your password.
      </Text>
      {own.codes ? (
        <Group gap="md" justify="space-between">
          <Text size="sm">Set up on {day(own.codes.since)}.</Text>
          <SureButton label="Remove" sure="Yes, remove them" of={remove} />
        </Group>
      ) : made ? (
        <ConfirmCodes {...props} made={made} forget={() => setMade(undefined)} />
      ) : (
        <Group>
          <QuietButton of={begin} label="Set up one-time codes" />
        </Group>
      )}
    </Panel>
  )
}

function ConfirmCodes({
  made,
  done,
  forget,
}: PartProps & { made: { secret: string; uri: string }; forget: () => void }) {
  const { values, field } = useFields({ code: '' })
  const input = useRef<HTMLInputElement>(null)
  const confirming = useOwnChange(async (api, code: string) => {
    const { recovery_codes: codes } = await api.call('POST /api/factors/codes', { body: { code } })
    forget()
    await done(codes)
  })
  const code = values.code.trim()
  return (
    <Stack gap="md">
      <Text size="sm">Scan this with the app. On the same device, copy the text below instead.</Text>
      <QrCode text={made.uri} label="QR code for the app" />
      <Secret label="Text for the app" value={made.secret} words="It is shown until you leave this page." />
      <Form
        label="Confirm one-time codes"
        row
        error={confirming.error}
        failed="Not set up yet"
        onSubmit={() => (code === '' ? input.current?.focus() : confirming.submit(code))}
      >
        <TextInput
          ref={input}
          label="The code that the app shows now"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={12}
          {...field('code')}
        />
        <SubmitButton submission={confirming} label="Confirm" />
      </Form>
    </Stack>
  )
}

/** Dark on light in both colour schemes: scanning apps expect it. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = useMemo(() => encode(text, { ecc: 'M', border: 2 }), [text])
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg width="220" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={`M0 0h${size}v${size}h-${size}z`} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

function RecoveryCodes({ own, done }: PartProps) {
  const renewing = useOwnChange(async (api) =>
    done((await api.call('POST /api/factors/recovery-codes', {})).recovery_codes),
  )
  return (
    <Panel title="Recovery codes" error={renewing.error} failed="Nothing was changed">
      <Text size="sm">
        If you lose your phone, each code works once instead of your second factor. Store them with your important
        papers.
      </Text>
      {own.recovery_codes === null ? (
        <Quiet>You get ten codes with your first passkey or one-time codes.</Quiet>
      ) : (
        <Group gap="md" justify="space-between">
          <Text size="sm">
            {leftWords(own.recovery_codes.left)} Made on {day(own.recovery_codes.made_at)}.
          </Text>
          <SureButton label="Create new codes" sure="Yes, replace the old ones" of={renewing} />
        </Group>
      )}
    </Panel>
  )
}

function leftWords(left: number): ReactNode {
  if (left === 0) return 'None is left: create new codes.'
  return left === 1 ? 'One is left: create new codes soon.' : `${left} are left.`
}

function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[] | undefined; onClose: () => void }) {
  return (
    <Dialog about={codes?.join('\n')} title={() => 'Your recovery codes'} onClose={onClose}>
      {(text) => (
        <Stack gap="md">
          <Text size="sm">
            They are shown only once. Each works once, if you have neither your passkey nor your one-time codes.
          </Text>
          <Code block fz="0.95rem" lh={1.9} style={{ columns: '2 12rem' }} aria-label="Recovery codes">
            {text}
          </Code>
          <Group gap="sm">
            <CopyButton value={text} label="Recovery codes" />
            <QuietButton
              size="xs"
              label="Save as a file"
              onClick={() => saveAs(new Blob([`${text}\n`], { type: 'text/plain' }), 'assay-recovery-codes.txt')}
            />
          </Group>
          <Group justify="flex-end">
            <MainButton onClick={onClose} label="I have saved them" />
          </Group>
        </Stack>
      )}
    </Dialog>
  )
}

/** Replaces every page of an organisation that requires a second factor, until the person has added one. */
export function FactorGate() {
  const { name } = useOrganisation()
  const ways = useSession().second_factor?.ways ?? []
  const next =
    ways.length > 0
      ? 'You signed in without your second factor: confirm with it now to continue.'
      : 'Add a passkey or one-time codes here, then continue.'
  return (
    <ConsolePage
      title="A second factor is needed"
      lead={[{ name }, ` requires a second factor of its members. ${next}`]}
    >
      {ways.length > 0 ? (
        <Panel title="Confirm">
          <ProofSteps password={false} label="Confirm with the second factor" onProved={() => {}} />
        </Panel>
      ) : (
        <Factors />
      )}
    </ConsolePage>
  )
}
