import {
  Button,
  Group,
  PasswordInput,
  type PasswordInputProps,
  Stack,
  TextInput,
  type TextInputProps,
} from '@mantine/core'
import { type ComponentProps, type Ref, useState } from 'react'
import { type Problem, ProblemNotice, problemAt } from './problem-notice.tsx'
import type { Submission } from './use-change.ts'

/** A form with the error above its fields; `row` puts the fields side by side. */
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
  onSubmit: () => void
}) {
  return (
    <form
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
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

/** The texts of a form, and for each the properties of its field with the server's validation error. */
export function useFields<Values extends Readonly<Record<string, string>>>(initial: Values) {
  const [values, setValues] = useState(initial)
  const field = <Name extends keyof Values & string>(name: Name, error?: Problem) => ({
    name,
    value: values[name],
    onChange: ({ currentTarget: { value } }: Changed) => setValues((now) => ({ ...now, [name]: value })),
    error: problemAt(error, name),
  })
  return { values, field, reset: () => setValues(initial) }
}

export const EMAIL = /^[^\s@]+@[^\s@]+$/

/** The address for signing in. */
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

/** An existing password. */
export function PresentPasswordInput(props: PasswordInputProps) {
  return <PasswordInput label="Password" autoComplete="current-password" maxLength={1024} size="md" {...props} />
}

/** Names the account of the form for password managers. */
export function UserName({ email }: { email: string }) {
  return <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
}

/** Sends a form; shows the remaining seconds when the server asked to wait. */
export function SubmitButton(props: {
  submission: Pick<Submission<never>, 'busy' | 'waitSeconds'>
  label: string
  ref?: Ref<HTMLButtonElement>
  size?: 'md' | 'lg'
  disabled?: boolean
}) {
  const { busy, waitSeconds } = props.submission
  return (
    <Button
      type="submit"
      ref={props.ref}
      size={props.size ?? 'md'}
      loading={busy}
      disabled={props.disabled || waitSeconds > 0}
    >
      {waitSeconds > 0 ? `Try again in ${waitSeconds} s` : props.label}
    </Button>
  )
}
