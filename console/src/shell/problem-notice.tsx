import { type AssayError, ConnectionError, TimeoutError } from '@assay/sdk'
import { Alert, Text } from '@mantine/core'
import { PageLink } from './buttons.tsx'

export type Problem = AssayError | undefined

export function ProblemNotice({ error, title }: { error: Problem; title?: string | undefined }) {
  if (!error) return null
  return (
    <Alert role="alert" title={title} className="problem">
      <Text size="sm">
        {wordsOf(error)}
        {error.status === 402 ? (
          <>
            {' '}
            <PageLink to="/console/billing">Top up</PageLink>
          </>
        ) : null}
      </Text>
      {error.requestId ? <RequestId id={error.requestId} /> : null}
    </Alert>
  )
}

/** The server's validation error for a field of the request. */
export function problemAt(error: Problem, field: string): string | undefined {
  return error?.errors.find(({ pointer }) => pointer === `/${field}`)?.detail
}

/** The error, unless the fields of the form show it. */
export function problemBeside(error: Problem, ...fields: readonly string[]): Problem {
  return fields.some((field) => problemAt(error, field) !== undefined) ? undefined : error
}

export function RequestId({ id }: { id: string }) {
  return (
    <Text size="xs" mt={6} component="p">
      Request <span className="mono">{id}</span>
    </Text>
  )
}

/** The client's own messages are for developers. */
function wordsOf(error: AssayError): string {
  if (error instanceof ConnectionError || error instanceof TimeoutError) {
    return 'The server cannot be reached. Check the connection and try again.'
  }
  return error.code === 'unexpected_response' ? 'The server could not answer. Try again in a moment.' : error.message
}
