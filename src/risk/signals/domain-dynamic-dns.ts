import { type Signal, tagged } from '../signal.ts'

export const domainDynamicDns = {
  code: 'domain.dynamic_dns',
  description: 'Lives under a dynamic-DNS name anyone can take in a minute',
  group: 'hosting',
  detect: ({ own, onPlatform }) => tagged(onPlatform.length > 0 ? onPlatform : own, 'dynamic_dns'),
} satisfies Signal<'domain'>
