/** The error that the server wrote into the page when it refused the request. */
export interface ServerError {
  readonly code: string
  readonly detail: string
  readonly requestId: string | undefined
}

export function readServerError(page: Document): ServerError | undefined {
  const content = page.querySelector('meta[name="assay-error"]')?.getAttribute('content')
  if (content === null || content === undefined) return undefined
  try {
    const { code, detail, request_id } = JSON.parse(content) as Record<string, unknown>
    return {
      code: String(code),
      detail: String(detail),
      requestId: typeof request_id === 'string' ? request_id : undefined,
    }
  } catch {
    return { code: 'unknown', detail: 'The request could not be answered.', requestId: undefined }
  }
}
