import { escapeHtml } from '../lib/html.ts'

/** The pages as this part needs them; the server loads and serves them. */
export interface Pages {
  /** The document; with an error it shows the error instead of a page. */
  render(error?: { readonly code: string; readonly detail: string; readonly request_id?: string }): string
  readonly headers: Readonly<Record<string, string>>
}

/** A page without the app: sign-out, whose form the library generates. */
export function plainPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(title)} · Assay</title><style>${PLAIN_STYLE}</style></head>
<body><main>${MARK}<h1>${escapeHtml(title)}</h1>${body}</main></body></html>
`
}

/** The design of the other pages, as far as a page without their script and style sheet needs it. */
const PLAIN_STYLE = `:root{--page:#f6f4ee;--ink:#1b1d1c;--fill:#0b5d57;--line:#85817a;--sheet:#fff}
@media(prefers-color-scheme:dark){:root{--page:#111615;--ink:#e4e8e5;--fill:#146f66;--line:#66716c;--sheet:#222a28}}
body{margin:0;background:var(--page);color:var(--ink);font:1rem/1.55 ui-sans-serif,system-ui,sans-serif}
main{max-width:27rem;margin:0 auto;padding:15vh 1.25rem 2rem}
h1{font:600 2rem/1.2 'Iowan Old Style','Palatino Linotype',Palatino,Georgia,serif;margin:1.25rem 0 .5rem}
button{font:inherit;font-weight:600;padding:.55rem 1.1rem;margin:.5rem .5rem 0 0;border-radius:4px;cursor:pointer;
border:1px solid var(--line);background:var(--sheet);color:var(--ink)}
button[value]{background:var(--fill);border-color:var(--fill);color:#fff}
:focus-visible{outline:3px solid #57ada1;outline-offset:2px}`

const MARK = `<svg width="40" height="40" viewBox="0 0 32 32" aria-hidden="true"><path fill="#0b5d57" d="M9 1h14l8 8v14l-8 8H9l-8-8V9z"/><path fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round" d="M9.5 24 16 7.5 22.5 24M8 18.2h16"/></svg>`
