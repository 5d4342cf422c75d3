import { Code, Group, Stack, Text } from '@mantine/core'
import { CopyButton } from './copy-button.tsx'

/** Something that is shown this once, with a button that copies it. */
export function Secret({ label, value, words }: { label: string; value: string; words: string }) {
  return (
    <Stack gap={6}>
      <Text fw={600} m={0} fz="sm">
        {label}
      </Text>
      <Group gap="sm" align="flex-start">
        <Code block className="secret" aria-label={label}>
          {value}
        </Code>
        <CopyButton value={value} label={label} />
      </Group>
      <Text size="sm" c="dimmed">
        {words}
      </Text>
    </Stack>
  )
}
