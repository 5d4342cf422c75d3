import { Alert, Text } from '@mantine/core'
import type { ApiError } from '../api/client.ts'

/** An error in plain words, announced at once, with the request id to quote to the operator. */
export function ProblemNotice({ error, title }: { error: ApiError; title?: string }) {
  return (
    <Alert role="alert" title={title} className="problem">
      <Text size="sm">{error.detail}</Text>
      {error.requestId ? <RequestId id={error.requestId} /> : null}
    </Alert>
  )
}

export function RequestId({ id }: { id: string }) {
  return (
    <Text size="xs" mt={6} component="p">
      Request <span className="request-id">{id}</span>
    </Text>
  )
}
