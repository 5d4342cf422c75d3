/** An entry of a feed catalogue, in the form of a feeds file. */
export function feedEntry(over: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    id: 'one',
    name: 'One',
    address: 'one.txt',
    format: { type: 'list', values: 'domain' },
    kinds: ['domain'],
    tags: ['phishing'],
    confidence: 0.8,
    licence: 'MIT',
    commercial_use: true,
    refresh_hours: 24,
    enabled: true,
    ...over,
  }
}
