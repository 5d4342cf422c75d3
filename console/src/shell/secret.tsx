import { Code, Group, Stack, Text } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { QuietButton } from './page.tsx'
import { plainWords, Said, type Words } from './words.ts'

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
  const word = copied ? 'Copied' : error ? 'Copy it by hand' : (props.word ?? 'Copy')
  return <QuietButton size={size} onClick={() => copy(value)} aria-label={`${word}: ${label}`} label={word} />
}
