import './factors.css'
import { Button, Code, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useMemo, useRef, useState } from 'react'
import { encode } from 'uqr'
import { addPasskey, type FactorsApi, factorsApi, factorsQuery } from '../api/factors.ts'
import type { Factors as OwnFactors, Passkey } from '../api/generated/pages.ts'
import { saveAs } from '../api/organisation.ts'
import { knowsPasskeys } from '../api/passkey.ts'
import { CopyButton } from '../shell/copy-button.tsx'
import { Dialog } from '../shell/dialog.tsx'
import { Empty, Loaded, Panel, SureButton, WideTable } from '../shell/page.tsx'
import { ProblemNotice } from '../shell/problem-notice.tsx'
import { Secret } from '../shell/secret.tsx'
import { SubmitButton } from '../shell/submit-button.tsx'
import { ago, day } from '../shell/time.ts'
import { useSession } from '../shell/use-session.ts'
import { useSubmit } from '../shell/use-submit.ts'

/** A person's second factors: passkeys, one-time codes, and recovery codes for when both are lost. */
export function Factors() {
  const { user } = useSession()
  const queries = useQueryClient()
  const api = useMemo(() => factorsApi(user.id, queries), [user.id, queries])
  const factors = useQuery(factorsQuery(api, user.id))
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>()
  const show = (codes: readonly string[] | null) => setRecoveryCodes(codes ?? undefined)
  return (
    <Stack gap="lg">
      <Loaded query={factors}>
        {(own) => (
          <>
            <Passkeys api={api} own={own} onRecoveryCodes={show} />
            <OneTimeCodes api={api} own={own} onRecoveryCodes={show} />
            <RecoveryCodes api={api} own={own} onRecoveryCodes={show} />
          </>
        )}
      </Loaded>
      <RecoveryCodesDialog
        codes={recoveryCodes}
        onClose={() => {
          setRecoveryCodes(undefined)
          // Only now: an organisation that waited for the factor shows its pages from here on.
          void api.changed()
        }}
      />
    </Stack>
  )
}

interface PartProps {
  readonly api: FactorsApi
  readonly own: OwnFactors
  readonly onRecoveryCodes: (codes: readonly string[] | null) => void
}

/** Shows new recovery codes before anything else changes on the page. */
async function afterAdding({ api, onRecoveryCodes }: PartProps, codes: readonly string[] | null): Promise<void> {
  if (codes) onRecoveryCodes(codes)
  else await api.changed()
}

function Passkeys(props: PartProps) {
  const { api, own } = props
  const [name, setName] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const [missing, setMissing] = useState(false)
  const adding = useSubmit(async (given: string) => {
    const codes = await addPasskey(api, given)
    setName('')
    await afterAdding(props, codes)
  })
  const removing = useSubmit(async (id: string) => {
    await api.call('POST /api/factors/passkeys/remove', { body: { id } }).finally(() => api.changed())
  })
  const error = adding.error ?? removing.error
  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    setMissing(name.trim() === '')
    if (name.trim() === '') field.current?.focus()
    else adding.submit(name.trim())
  }
  return (
    <Panel title="Passkeys">
      <Stack gap="md">
        <Text size="sm">
          A passkey stays on your phone, computer or security key and opens with a finger, your face or a PIN. It signs
          you in without a password, and only at this address: nobody can lure it out of you elsewhere.
        </Text>
        {error ? <ProblemNotice error={error} title="Nothing was changed" /> : null}
        {own.passkeys.length === 0 ? (
          <Empty>You have no passkey yet.</Empty>
        ) : (
          <WideTable label="Passkeys" columns={['Name', 'Added', 'Last used', 'Kept', 'Change']}>
            {own.passkeys.map((passkey) => (
              <tr key={passkey.id}>
                <td>
                  <bdi>{passkey.name}</bdi>
                </td>
                <td>{day(passkey.created_at)}</td>
                <td>{passkey.used_at === null ? 'not yet' : ago(passkey.used_at)}</td>
                <td>{passkey.backed_up ? 'with your account of its maker' : 'on one device'}</td>
                <td>
                  <Group gap="xs">
                    <RenamePasskey api={api} passkey={passkey} />
                    <SureButton label="Remove" sure="Yes, remove" onSure={() => removing.submit(passkey.id)} />
                  </Group>
                </td>
              </tr>
            ))}
          </WideTable>
        )}
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
          <form className="form-row" onSubmit={onSubmit} noValidate aria-label="Add a passkey">
            <TextInput
              ref={field}
              label="Name of the new passkey"
              placeholder="My phone"
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              maxLength={200}
              error={missing ? 'Give it a name, so that you know it again.' : undefined}
            />
            <Button type="submit" loading={adding.busy}>
              Add a passkey
            </Button>
          </form>
        )}
      </Stack>
    </Panel>
  )
}

function RenamePasskey({ api, passkey }: { api: FactorsApi; passkey: Passkey }) {
  const [open, setOpen] = useState(false)
  const [name, setName] = useState(passkey.name)
  const renaming = useSubmit(async (given: string) => {
    await api.call('POST /api/factors/passkeys/rename', { body: { id: passkey.id, name: given } })
    await api.changed()
    setOpen(false)
  })
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setOpen(true)} aria-label={`Rename ${passkey.name}`}>
        Rename
      </Button>
      <Dialog opened={open} title="Rename the passkey" onClose={() => setOpen(false)}>
        <form
          aria-label="Rename the passkey"
          onSubmit={(event) => {
            event.preventDefault()
            if (name.trim() !== '') renaming.submit(name.trim())
          }}
        >
          <Stack gap="md">
            {renaming.error ? <ProblemNotice error={renaming.error} title="Nothing was changed" /> : null}
            <TextInput
              label="Name"
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              maxLength={200}
              data-autofocus
            />
            <SubmitButton submission={renaming} label="Rename" />
          </Stack>
        </form>
      </Dialog>
    </>
  )
}

function OneTimeCodes(props: PartProps) {
  const { api, own } = props
  const [made, setMade] = useState<{ readonly secret: string; readonly uri: string }>()
  const begin = useSubmit(async () => setMade(await api.call('POST /api/factors/codes/begin', {})))
  const remove = useSubmit(async () => {
    await api.call('DELETE /api/factors/codes', {}).finally(() => api.changed())
  })
  const error = begin.error ?? remove.error
  return (
    <Panel title="One-time codes">
      <Stack gap="md">
        <Text size="sm">
          An app on your phone, or a password manager, shows six digits that change every 30 seconds. You type them
          after your password.
        </Text>
        {error ? <ProblemNotice error={error} title="Nothing was changed" /> : null}
        {own.codes ? (
          <Group gap="md" justify="space-between">
            <Text size="sm">Set up on {day(own.codes.since)}.</Text>
            <SureButton label="Remove" sure="Yes, remove them" onSure={() => remove.submit(undefined)} />
          </Group>
        ) : made ? (
          <ConfirmCodes {...props} made={made} onDone={() => setMade(undefined)} />
        ) : (
          <Group>
            <Button variant="default" loading={begin.busy} onClick={() => begin.submit(undefined)}>
              Set up one-time codes
            </Button>
          </Group>
        )}
      </Stack>
    </Panel>
  )
}

function ConfirmCodes(props: PartProps & { made: { secret: string; uri: string }; onDone: () => void }) {
  const { api, made } = props
  const field = useRef<HTMLInputElement>(null)
  const confirming = useSubmit(async (code: string) => {
    const { recovery_codes: codes } = await api.call('POST /api/factors/codes', { body: { code } })
    props.onDone()
    await afterAdding(props, codes)
  })
  return (
    <Stack gap="md">
      <Text size="sm">Scan this with the app. On the same device, copy the text below instead.</Text>
      <QrCode text={made.uri} label="QR code for the app" />
      <Secret label="Text for the app" value={made.secret} words="It is shown until you leave this page." />
      <form
        className="form-row"
        aria-label="Confirm one-time codes"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          const code = field.current?.value.trim() ?? ''
          if (code === '') field.current?.focus()
          else confirming.submit(code)
        }}
      >
        <TextInput
          ref={field}
          label="The code that the app shows now"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={12}
        />
        <SubmitButton submission={confirming} label="Confirm" />
      </form>
      {confirming.error ? <ProblemNotice error={confirming.error} title="Not set up yet" /> : null}
    </Stack>
  )
}

/** Dark on light in either scheme: an app that scans expects it. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = useMemo(() => encode(text, { ecc: 'M', border: 2 }), [text])
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg className="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={`M0 0h${size}v${size}h-${size}z`} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

function RecoveryCodes({ api, own, onRecoveryCodes }: PartProps) {
  const renewing = useSubmit(async () => {
    const { recovery_codes: codes } = await api.call('POST /api/factors/recovery-codes', {})
    onRecoveryCodes(codes)
  })
  return (
    <Panel title="Recovery codes">
      <Stack gap="md">
        <Text size="sm">
          For the day on which your phone is lost: each of them works once in place of your second factor. Keep them
          where you keep important papers.
        </Text>
        {renewing.error ? <ProblemNotice error={renewing.error} title="Nothing was changed" /> : null}
        {own.recovery_codes === null ? (
          <Empty>You get ten of them with your first passkey or one-time codes.</Empty>
        ) : (
          <Group gap="md" justify="space-between">
            <Text size="sm">
              {leftWords(own.recovery_codes.left)} Made on {day(own.recovery_codes.made_at)}.
            </Text>
            <SureButton
              label="Make new ones"
              sure="Yes: the former ones end"
              busy={renewing.busy}
              onSure={() => renewing.submit(undefined)}
            />
          </Group>
        )}
      </Stack>
    </Panel>
  )
}

function leftWords(left: number): ReactNode {
  if (left === 0) return 'None is left: make new ones.'
  return left === 1 ? 'One is left: make new ones soon.' : `${left} are left.`
}

function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[] | undefined; onClose: () => void }) {
  const text = codes?.join('\n') ?? ''
  return (
    <Dialog opened={codes !== undefined} title="Your recovery codes" onClose={onClose}>
      <Stack gap="md">
        <Text size="sm">
          They are shown this once. Each works once, when you have neither your passkey nor your one-time codes at hand.
        </Text>
        <Code block className="recovery-codes" aria-label="Recovery codes">
          {text}
        </Code>
        <Group gap="sm">
          <CopyButton value={text} label="Recovery codes" />
          <Button
            variant="default"
            size="xs"
            onClick={() => saveAs(new Blob([`${text}\n`], { type: 'text/plain' }), 'assay-recovery-codes.txt')}
          >
            Save as a file
          </Button>
        </Group>
        <Group justify="flex-end">
          <Button onClick={onClose}>I have kept them</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
