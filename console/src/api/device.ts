import { type Answer, server, withCsrf } from './client.ts'
import type { DeviceRequest } from './generated/pages.ts'

/** Connecting a device by the short code it shows (RFC 8628). */

export function readDeviceForm(signal: AbortSignal): Promise<{ readonly csrf: string }> {
  return server.call('GET /api/device', { signal })
}

export function findDevice(userCode: string, csrf: string): Promise<DeviceRequest> {
  return server.call('POST /api/device/lookup', { body: { user_code: userCode }, ...withCsrf(csrf) })
}

export function answerDevice(
  userCode: string,
  decision: 'allow' | 'deny',
  csrf: string,
): Promise<Answer<'POST /api/device/confirm'>> {
  return server.call('POST /api/device/confirm', { body: { user_code: userCode, decision }, ...withCsrf(csrf) })
}
