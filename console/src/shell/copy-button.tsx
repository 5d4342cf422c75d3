import { Button } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'

/** Copies a text; says so when the browser does not let it, which it does on plain http. */
export function CopyButton(props: { value: string; label: string; word?: string; size?: 'xs' | 'sm' }) {
  const { value, label, size = 'sm' } = props
  const { copy, copied, error } = useClipboard()
  const word = copied ? 'Copied' : error ? 'Copy it by hand' : (props.word ?? 'Copy')
  return (
    <Button variant="default" size={size} onClick={() => copy(value)} aria-label={`${word}: ${label}`}>
      {word}
    </Button>
  )
}
