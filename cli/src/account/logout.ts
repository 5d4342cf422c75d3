import type { Context } from '../context.ts'
import { discover, postForm } from '../oauth.ts'
import { readLogin, serviceUrl, withLoginLock, writeLogin } from '../settings.ts'

/** `assay logout`. The local login is always deleted, also when the service cannot be reached. */
export async function logout(context: Context): Promise<void> {
  const url = serviceUrl(context)
  await withLoginLock(context, async () => {
    const login = readLogin(context, url)
    if (!login) {
      context.stdout.write(`Not signed in to ${url}.\n`)
      return
    }
    writeLogin(context, url, undefined)
    try {
      const { revocation_endpoint } = await discover(context, url)
      for (const token of [login.refresh_token, login.access_token]) {
        if (!token) continue
        const { status } = await postForm(context, revocation_endpoint, { token, client_id: login.client_id })
        if (status !== 200) throw new Error(`status ${status}`)
      }
      context.stdout.write(`Signed out of ${url}.\n`)
    } catch {
      context.stdout.write(`Signed out of ${url} here.\n`)
      context.stderr.write('assay: the service could not be told; its tokens end by themselves within 30 days.\n')
    }
  })
}
