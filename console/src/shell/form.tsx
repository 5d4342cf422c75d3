import { PASSWORD } from '@assay/sdk'
import { Group, PasswordInput, type PasswordInputProps, Stack, TextInput, type TextInputProps } from '@mantine/core'
import { type ComponentProps, useState } from 'react'
import { MainButton, type Problem, ProblemNotice, problemAt } from './page.tsx'
import type { Submission } from './use-session.ts'

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
  const words = waitSeconds > 0 ? `Try again in ${waitSeconds} s` : label
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

const PASSWORD_ADVICE = `At least ${PASSWORD.characters.min} characters: four words that do not belong together, for example.`

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
