import { Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core'

/** Something that is shown this once, with a button that copies it. */
export function Secret({ label, value, words }: { label: string; value: string; words: string }) {
  return (
    <Stack gap={6}>
      <Text fw={600} component="h3" m={0} fz="sm">
        {label}
      </Text>
      <Group gap="sm" align="flex-start">
        <Code block className="secret" aria-label={label}>
          {value}
        </Code>
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy} aria-label={`Copy: ${label}`}>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </Group>
      <Text size="sm" c="dimmed">
        {words}
      </Text>
    </Stack>
  )
}
