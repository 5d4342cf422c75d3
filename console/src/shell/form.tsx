import { type AssayError, PASSWORD } from '@assay/sdk'
import {
  Code,
  Group,
  Modal,
  PasswordInput,
  type PasswordInputProps,
  Stack,
  Text,
  TextInput,
  type TextInputProps,
} from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { type ComponentProps, createContext, type ReactNode, useContext, useRef, useState } from 'react'
import { MainButton, type Problem, ProblemNotice, problemAt, QuietButton } from './page.tsx'
import type { Submission } from './use-session.ts'
import { plainWords, Said, type Words } from './words.ts'

export const CloseContext = createContext(() => {})

/** Closes the dialog or the passing form around the component. */
export const useClose = () => useContext(CloseContext)

/**
 * A form with the error above its fields; `row` puts the fields side by side. In a dialog it closes the dialog when
 * what it sent was done.
 */
export function Form({
  label,
  error,
  failed,
  row = false,
  maw,
  onSubmit,
  children,
  ...others
}: Omit<ComponentProps<'form'>, 'onSubmit'> & {
  label: string
  error?: Problem
  failed?: string
  row?: boolean
  maw?: number
  onSubmit: () => unknown
}) {
  const close = useClose()
  return (
    <form
      aria-label={label}
      noValidate
      onSubmit={async (event) => {
        event.preventDefault()
        if ((await onSubmit()) === true) close()
      }}
      {...others}
    >
      <Stack gap="md" {...(maw === undefined ? {} : { maw })}>
        <ProblemNotice error={error} title={failed} />
        {row ? (
          <Group gap="sm" align="flex-end">
            {children}
          </Group>
        ) : (
          children
        )}
      </Stack>
    </form>
  )
}

type Changed = { readonly currentTarget: { readonly value: string } }

export function useFields<Values extends Readonly<Record<string, string>>>(initial: Values) {
  const [values, setValues] = useState(initial)
  const set = (name: keyof Values & string, value: string) => setValues((now) => ({ ...now, [name]: value }))
  const field = <Name extends keyof Values & string>(name: Name, error?: Problem) => ({
    name,
    value: values[name],
    onChange: ({ currentTarget: { value } }: Changed) => set(name, value),
    error: problemAt(error, name),
  })
  return { values, field, set, reset: () => setValues(initial) }
}

/** The choices of a select by their values; `none` is the choice of nothing. */
export const options = (words: Readonly<Record<string, string>>, none?: string) => [
  ...(none === undefined ? [] : [{ value: '', label: none }]),
  ...Object.entries(words).map(([value, label]) => ({ value, label })),
]

/** For fields whose text is no prose. */
export const CODE = { autoCapitalize: 'none', spellCheck: false } as const

export const EMAIL = /^[^\s@]+@[^\s@]+$/

export function EmailInput(props: TextInputProps) {
  return (
    <TextInput
      label="Email address"
      name="email"
      type="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={254}
      size="md"
      {...props}
    />
  )
}

export function PresentPasswordInput(props: PasswordInputProps) {
  return <PasswordInput label="Password" autoComplete="current-password" maxLength={1024} size="md" {...props} />
}

/** Names the account of the form for password managers. */
export function UserName({ email }: { email: string }) {
  return <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
}

/** Sends a form; shows the remaining seconds when the server asked to wait. */
export function SubmitButton(
  props: Pick<ComponentProps<typeof MainButton>, 'ref' | 'size' | 'disabled'> & {
    submission: Pick<Submission<never>, 'busy' | 'waitSeconds'>
    label: string
  },
) {
  const { submission, label, disabled = false, ...others } = props
  const { busy, waitSeconds } = submission
  const wait = waitSeconds < 7200 ? `${waitSeconds} s` : `${Math.ceil(waitSeconds / 3600)} hours`
  const words = waitSeconds > 0 ? `Try again in ${wait}` : label
  return (
    <MainButton
      type="submit"
      size="md"
      label={words}
      loading={busy}
      disabled={disabled || waitSeconds > 0}
      {...others}
    />
  )
}

const PASSWORD_ADVICE = `At least ${PASSWORD.characters.min} characters: for example four unrelated words.`

export function NewPasswordInput(props: PasswordInputProps) {
  return (
    <PasswordInput
      label="New password"
      description={PASSWORD_ADVICE}
      autoComplete="new-password"
      maxLength={PASSWORD.characters.max}
      size="md"
      {...props}
    />
  )
}

export function PersonFields({ field }: { field: (name: 'name' | 'email' | 'password') => object }) {
  return (
    <>
      <TextInput label="Your name" autoComplete="name" maxLength={200} size="md" {...field('name')} />
      <EmailInput {...field('email')} />
      <NewPasswordInput label="Password" minLength={PASSWORD.characters.min} {...field('password')} />
    </>
  )
}

export function Secret({ label, value, words }: { label: Words; value: string; words: Words }) {
  return (
    <Stack gap={6}>
      <Text fw={600} m={0} fz="sm">
        <Said of={label} />
      </Text>
      <Group gap="sm" align="flex-start">
        <Code
          block
          className="wrapping"
          flex="1 1 18rem"
          maw="100%"
          fz="sm"
          bg="var(--assay-page)"
          bd="1px solid var(--assay-line)"
          aria-label={plainWords(label)}
        >
          {value}
        </Code>
        <CopyButton value={value} label={plainWords(label)} />
      </Group>
      <Text size="sm" c="dimmed">
        <Said of={words} />
      </Text>
    </Stack>
  )
}

/** Copies a text; shows a message when the browser refuses, as it does on plain http. */
export function CopyButton(props: { value: string; label: string; word?: string; size?: 'xs' | 'sm' }) {
  const { value, label, size = 'sm' } = props
  const { copy, copied, error } = useClipboard()
  const word = copied ? 'Copied' : error ? 'Copy it manually' : (props.word ?? 'Copy')
  return <QuietButton size={size} onClick={() => copy(value)} aria-label={`${word}: ${label}`} label={word} />
}

/** Open while there is something to ask or to show. Its content is created again every time it opens. */
export function Dialog<About>(props: {
  about: About | undefined
  title: (about: About) => Words
  onClose: () => void
  children: (about: About) => ReactNode
}) {
  // While the dialog fades out, it still shows what it was about; a secret in it is forgotten then.
  const latest = useRef(props.about)
  if (props.about !== undefined) latest.current = props.about
  const about = latest.current
  const forget = () => {
    latest.current = undefined
  }
  return (
    <Modal
      opened={props.about !== undefined}
      onClose={props.onClose}
      onExitTransitionEnd={forget}
      title={about === undefined ? '' : <Said of={props.title(about)} />}
    >
      {about === undefined ? null : <CloseContext value={props.onClose}>{props.children(about)}</CloseContext>}
    </Modal>
  )
}

export function DialogButton(props: { label: string; ariaLabel?: string; title: Words; children: ReactNode }) {
  const [opened, setOpened] = useState<true>()
  return (
    <>
      <QuietButton size="xs" aria-label={props.ariaLabel} onClick={() => setOpened(true)} label={props.label} />
      <Dialog about={opened} title={() => props.title} onClose={() => setOpened(undefined)}>
        {() => props.children}
      </Dialog>
    </>
  )
}

/** A lost answer says nothing about the change: sending the same request again does it once and shows the result. */
function outcomeTitle({ outcome }: AssayError): string {
  return outcome === 'unknown'
    ? 'It is unknown whether it was done. Try again: it is done only once'
    : 'Nothing was changed'
}

/** The end of a dialog, which closes after either answer. Without `onYes` the answer sends the form around it. */
export function Answers(props: {
  submission: Pick<Submission<never>, 'busy' | 'error'>
  yes: string
  no?: string
  /** The action cannot be undone: the button is red. */
  grave?: boolean
  onYes?: () => unknown
  /** The question. */
  children?: ReactNode
}) {
  const close = useClose()
  const { busy, error } = props.submission
  const { onYes } = props
  const answer = async () => (await onYes?.()) === true && close()
  return (
    <Stack gap="md">
      {props.children ? <Text>{props.children}</Text> : null}
      <ProblemNotice error={error} title={error && outcomeTitle(error)} />
      <Group gap="sm" justify="flex-end">
        <QuietButton onClick={close} label={props.no ?? 'Leave it'} />
        <MainButton
          {...(props.grave ? { color: 'red.9' } : {})}
          {...(onYes ? { onClick: answer } : { type: 'submit' })}
          loading={busy}
          label={props.yes}
        />
      </Group>
    </Stack>
  )
}
