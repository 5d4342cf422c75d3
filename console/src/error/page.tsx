import { Anchor, Divider, Text } from '@mantine/core'
import { BASE_PATH } from '../api/base.ts'
import { RequestId } from '../shell/problem-notice.tsx'
import { Sheet } from '../shell/sheet.tsx'
import { readServerError, type ServerError } from './server-error.ts'

interface Advice {
  readonly title: string
  readonly lead: string
  readonly way?: { readonly label: string; readonly path: string }
}

/** Advice for the person, by error code; details for the maker of the application are shown below. */
const ADVICE: Readonly<Record<string, Advice>> = {
  invalid_redirect_uri: {
    title: 'This application is not set up right',
    lead: 'It asked us to send you to an address that is not registered for it, so we stopped here. Tell its maker.',
  },
  invalid_client: {
    title: 'We do not know this application',
    lead: 'It is not registered here, or it has been switched off. Tell its maker.',
  },
  sign_out_failed: {
    title: 'You may still be signed in',
    lead: 'The application asked us to sign you out in a way that we cannot accept, or too much time has passed. Sign out here instead.',
    way: { label: 'Sign out', path: '/oauth/logout' },
  },
  session_not_found: {
    title: 'This request has ended',
    lead: 'It was answered already, or too much time has passed. Go back to the application and start again.',
  },
  not_found: {
    title: 'There is nothing here',
    lead: 'The address may be mistyped, or what it named is gone.',
  },
  rate_limited: {
    title: 'Too many sign-ins at once',
    lead: 'Many were begun from your network and not finished. Wait a moment, then load this page again.',
  },
  store_unavailable: {
    title: 'We cannot answer at this moment',
    lead: 'Nothing is lost. Wait a moment, then load this page again.',
  },
  server_error: {
    title: 'Something went wrong on our side',
    lead: 'Go back to the application and try again in a moment.',
  },
}

const OTHERWISE: Advice = {
  title: 'This request cannot go on',
  lead: 'The application sent something we cannot accept. Go back to it and start again; if it happens again, tell its maker.',
}

export function Component() {
  const error: ServerError = readServerError(document) ?? {
    code: 'unknown',
    detail: 'The request could not be answered.',
    requestId: undefined,
  }
  const advice = Object.hasOwn(ADVICE, error.code) ? (ADVICE[error.code] ?? OTHERWISE) : OTHERWISE
  return (
    <Sheet outcome="failed" title={advice.title} lead={advice.lead}>
      {advice.way ? (
        <Text>
          <Anchor href={BASE_PATH + advice.way.path}>{advice.way.label}</Anchor>
        </Text>
      ) : null}
      <section aria-label="For the maker of the application">
        <Divider mb="md" />
        <Text size="sm" fw={600}>
          For the maker of the application
        </Text>
        <Text size="sm" mt={4}>
          <span className="mono">{error.code}</span>: {error.detail}
        </Text>
        {error.requestId ? <RequestId id={error.requestId} /> : null}
      </section>
    </Sheet>
  )
}
