import { PasswordInput, type PasswordInputProps, TextInput } from '@mantine/core'
import { EmailInput } from './form.tsx'

export const PASSWORD_LENGTH_MIN = 12
const PASSWORD_ADVICE = `At least ${PASSWORD_LENGTH_MIN} characters: four words that do not belong together, for example.`

/** A password that somebody chooses. */
export function NewPasswordInput(props: PasswordInputProps) {
  return (
    <PasswordInput
      label="New password"
      description={PASSWORD_ADVICE}
      autoComplete="new-password"
      maxLength={256}
      size="md"
      {...props}
    />
  )
}

/** Who somebody is and the password they choose, for a new account. */
export function PersonFields({ field }: { field: (name: 'name' | 'email' | 'password') => object }) {
  return (
    <>
      <TextInput label="Your name" autoComplete="name" maxLength={200} size="md" {...field('name')} />
      <EmailInput {...field('email')} />
      <NewPasswordInput label="Password" minLength={PASSWORD_LENGTH_MIN} {...field('password')} />
    </>
  )
}
