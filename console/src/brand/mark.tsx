/** The mark: the cut-cornered punch of an assay office, and an A whose bar is the beam of a balance. */
export function Mark({ sizePx = 32, inverted = false }: { sizePx?: number; inverted?: boolean }) {
  const punch = inverted ? '#f6f4ee' : 'var(--mantine-primary-color-filled)'
  const letter = inverted ? 'var(--assay-panel)' : 'var(--mantine-primary-color-contrast)'
  return (
    <svg width={sizePx} height={sizePx} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path fill={punch} d="M9 1h14l8 8v14l-8 8H9l-8-8V9z" />
      <path
        fill="none"
        stroke={letter}
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
        d="M9.5 24 16 7.5 22.5 24M8 18.2h16"
      />
    </svg>
  )
}

export function Wordmark({ inverted = false }: { inverted?: boolean }) {
  return (
    <span className="wordmark" style={inverted ? { color: '#f6f4ee' } : undefined}>
      <Mark sizePx={30} inverted={inverted} />
      <span>Assay</span>
    </span>
  )
}
