import { Code, Group, Stack, Text } from '@mantine/core'
import { CopyButton } from './copy-button.tsx'
import { Said } from './said.tsx'
import { plainWords, type Words } from './words.ts'

/** Something that is shown this once, with a button that copies it. */
export function Secret({ label, value, words }: { label: Words; value: string; words: Words }) {
  return (
    <Stack gap={6}>
      <Text fw={600} m={0} fz="sm">
        <Said of={label} />
      </Text>
      <Group gap="sm" align="flex-start">
        <Code block className="secret" aria-label={plainWords(label)}>
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
