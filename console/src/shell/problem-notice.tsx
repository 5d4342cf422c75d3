import { type AssayError, ConnectionError, TimeoutError } from '@assay/sdk'
import { Alert, Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'

/** An error in plain words, announced at once, with the way on and the request id to quote to the operator. */
export function ProblemNotice({ error, title }: { error: AssayError; title?: string }) {
  return (
    <Alert role="alert" title={title} className="problem">
      <ProblemWords error={error} />
    </Alert>
  )
}

function ProblemWords({ error }: { error: AssayError }) {
  return (
    <>
      <Text size="sm">
        {wordsOf(error)}
        {error.status === 402 ? (
          <>
            {' '}
            <Anchor component={Link} to="/console/billing" size="sm">
              Top up
            </Anchor>
          </>
        ) : null}
      </Text>
      {error.requestId ? <RequestId id={error.requestId} /> : null}
    </>
  )
}

export function RequestId({ id }: { id: string }) {
  return (
    <Text size="xs" mt={6} component="p">
      Request <span className="request-id">{id}</span>
    </Text>
  )
}

/** The client's own words are for developers. */
function wordsOf(error: AssayError): string {
  if (error instanceof ConnectionError || error instanceof TimeoutError) {
    return 'The server cannot be reached. Check the connection and try again.'
  }
  return error.code === 'unexpected_response' ? 'The server could not answer. Try again in a moment.' : error.message
}
