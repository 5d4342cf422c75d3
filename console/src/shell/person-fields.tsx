import { PASSWORD } from '@assay/sdk'
import { PasswordInput, TextInput, type TextInputProps } from '@mantine/core'

export const PASSWORD_ADVICE = `At least ${PASSWORD.characters.min} characters: four words that do not belong together, for example.`

type FieldProps = Pick<TextInputProps, 'name' | 'value' | 'onChange' | 'error' | 'required' | 'withAsterisk' | 'size'>

/** Who somebody is and the password they choose, for a new account. */
export function PersonFields({ field }: { field: (name: 'name' | 'email' | 'password') => FieldProps }) {
  return (
    <>
      <TextInput label="Your name" autoComplete="name" maxLength={200} {...field('name')} />
      <TextInput
        label="Email address"
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        maxLength={254}
        {...field('email')}
      />
      <PasswordInput
        label="Password"
        description={PASSWORD_ADVICE}
        autoComplete="new-password"
        minLength={PASSWORD.characters.min}
        maxLength={PASSWORD.characters.max}
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password', tabIndex: 0 }}
        {...field('password')}
      />
    </>
  )
}
