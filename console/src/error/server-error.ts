export const UNKNOWN = { code: 'unknown', detail: 'The request could not be answered.', requestId: undefined }

/** The error that the server wrote into the page when it refused the request. */
export function readServerError(page: Document) {
  const content = page.querySelector('meta[name="assay-error"]')?.getAttribute('content')
  if (content === null || content === undefined) return undefined
  try {
    const { code, detail, request_id } = JSON.parse(content) as Record<string, unknown>
    const requestId = typeof request_id === 'string' ? request_id : undefined
    return { code: String(code), detail: String(detail), requestId }
  } catch {
    return UNKNOWN
  }
}
