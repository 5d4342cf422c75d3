/** The form of every mail: plain text, and the same in HTML with the colours of the console. */
import { escapeHtml } from '../lib/html.ts'
import type { Prose } from './prose.ts'

export interface RenderedMail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

export interface Letter {
  readonly subject: string
  readonly says: Prose | readonly Prose[]
  /** One thing to do, and where. */
  readonly action?: { readonly label: string; readonly href: string }
  /** Why this mail was sent, and what to do if it was not you. */
  readonly why: Prose
}

export function rendered(letter: Letter, baseUrl: string): RenderedMail {
  return { subject: letter.subject, text: textOf(letter, baseUrl), html: htmlOf(letter, baseUrl) }
}

function textOf({ says, action, why }: Letter, baseUrl: string): string {
  const blocks = [
    ...[says].flat().map(({ text }) => text),
    ...(action ? [`${action.label}:\n${action.href}`] : []),
    `-- \n${why.text}\nAssay at ${baseUrl}`,
  ]
  return `${blocks.join('\n\n')}\n`
}

/** Light and dark, as in theme.css of the console. */
export const COLOURS = {
  page: ['#f6f4ee', '#111615'],
  sheet: ['#fffefb', '#191f1d'],
  line: ['#d9d5ca', '#2c3532'],
  ink: ['#1b1d1c', '#e4e8e5'],
  quiet: ['#575550', '#a0aaa5'],
  accent: ['#0b5d57', '#7bc0b6'],
} as const

type Painted = Partial<Record<'color' | 'background-color' | 'border-color', keyof typeof COLOURS>>

const TITLE_FONT = "Palatino,'Palatino Linotype','Book Antiqua',Georgia,serif"
const LOOKS = {
  page: [
    'margin:0;padding:24px 12px;font-family:system-ui,sans-serif;font-size:16px;line-height:1.5',
    { 'background-color': 'page', color: 'ink' },
  ],
  sheet: [
    'max-width:560px;margin:0 auto;padding:24px;border:1px solid;border-radius:4px',
    { 'background-color': 'sheet', 'border-color': 'line', color: 'ink' },
  ],
  name: [
    `margin:0 0 24px;padding:0 0 12px;border-bottom:2px solid;font:600 22px ${TITLE_FONT}`,
    { color: 'accent', 'border-color': 'accent' },
  ],
  button: [
    'display:inline-block;padding:10px 18px;border-radius:4px;font-weight:600;text-decoration:none',
    { 'background-color': 'accent', color: 'sheet' },
  ],
  link: ['', { color: 'accent' }],
  quiet: ['margin:0 0 8px;font-size:13px;overflow-wrap:anywhere', { color: 'quiet' }],
  rule: ['margin:24px 0;border:0;border-top:1px solid', { 'border-color': 'line' }],
} as const satisfies Record<string, readonly [style: string, painted: Painted]>
type Look = keyof typeof LOOKS

function paint(painted: Painted, theme: 0 | 1, suffix = ''): string {
  const colours = Object.entries(painted).map(([property, colour]) => `${property}:${COLOURS[colour][theme]}${suffix}`)
  return colours.join(';')
}

/** Light stands inline, because some programs drop the style sheet. Dark replaces it by the class. */
function as(look: Look): string {
  const [style, painted] = LOOKS[look]
  return `class="${look}" style="${style}${style && ';'}${paint(painted, 0)}"`
}

const DARK = Object.entries(LOOKS).map(([look, [, painted]]) => `.${look}{${paint(painted, 1, ' !important')}}`)

function htmlOf({ subject: title, says, action, why }: Letter, baseUrl: string): string {
  const paragraph = (html: string) => `<p style="margin:0 0 16px;overflow-wrap:anywhere">${html}</p>`
  const quiet = (html: string) => `<p ${as('quiet')}>${html}</p>`
  const anchor = (address: string) => `<a href="${escapeHtml(address)}" ${as('link')}>${escapeHtml(address)}</a>`
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title>`,
    `<style>@media (prefers-color-scheme:dark){${DARK.join('')}}</style></head>`,
    `<body ${as('page')}><div ${as('sheet')}>`,
    `<p ${as('name')}>Assay</p>`,
    ...[says].flat().map(({ html }) => paragraph(html)),
    ...(action
      ? [
          `<p style="margin:24px 0"><a href="${escapeHtml(action.href)}" ${as('button')}>${escapeHtml(action.label)}</a></p>`,
          quiet(`If the button does not work, open this address: ${anchor(action.href)}`),
        ]
      : []),
    `<hr ${as('rule')}>`,
    quiet(why.html),
    quiet(`Assay at ${anchor(baseUrl)}`),
    '</div></body></html>',
  ].join('\n')
}
