import { PASSWORD } from '@assay/sdk'
import { PasswordInput, type PasswordInputProps, TextInput } from '@mantine/core'
import { EmailInput } from './form.tsx'

const PASSWORD_ADVICE = `At least ${PASSWORD.characters.min} characters: four words that do not belong together, for example.`

/** A new password. */
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

/** Name, address and new password for a new account. */
export function PersonFields({ field }: { field: (name: 'name' | 'email' | 'password') => object }) {
  return (
    <>
      <TextInput label="Your name" autoComplete="name" maxLength={200} size="md" {...field('name')} />
      <EmailInput {...field('email')} />
      <NewPasswordInput label="Password" minLength={PASSWORD.characters.min} {...field('password')} />
    </>
  )
}
