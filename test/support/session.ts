import type { openSession } from '../../src/identity/people/sessions.ts'
import { DAY_MS } from '../../src/lib/clock.ts'

/** A session as a browser on this machine would open it. */
export const A_SESSION: Parameters<typeof openSession>[2] = {
  lifetimeMs: DAY_MS,
  amr: ['pwd'],
  from: { ip: '127.0.0.1', userAgent: undefined, deviceDigest: 'device' },
}
