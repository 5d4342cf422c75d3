/** The pages as this part needs them; the server holds and serves them. */
export interface Pages {
  /** The document; with an error it shows that instead of a page. */
  render(error?: { readonly code: string; readonly detail: string; readonly request_id?: string }): string
  readonly headers: Readonly<Record<string, string>>
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** A page without the application: sign-out, whose form the library makes. */
export function plainPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><style>:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:4rem auto;padding:0 1rem}button{font:inherit;padding:.5rem 1rem;margin-right:.5rem}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>
`
}
