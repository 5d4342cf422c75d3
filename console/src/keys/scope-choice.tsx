import { Checkbox, Stack } from '@mantine/core'
import { scopeWords } from './scopes.ts'

export function ScopeChoice({
  offered,
  chosen,
  onChange,
}: {
  offered: readonly string[]
  chosen: readonly string[]
  onChange: (scopes: string[]) => void
}) {
  return (
    <Checkbox.Group
      label="What it may do"
      value={[...chosen]}
      onChange={onChange}
      error={chosen.length === 0 ? 'Choose at least one.' : undefined}
    >
      <Stack gap={6} mt={4}>
        {offered.map((scope) => (
          <Checkbox key={scope} value={scope} label={scopeWords(scope)} />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}
