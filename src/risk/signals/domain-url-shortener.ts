import { type Signal, tagged } from '../signal.ts'

export const domainUrlShortener = {
  code: 'domain.url_shortener',
  description: 'A link shortener: what stands behind a link cannot be seen',
  group: 'hosting',
  detect: ({ own }) => tagged(own, 'url_shortener'),
} satisfies Signal<'domain'>
