import { expect, it } from 'vitest'
import { escapeHtml } from './html.ts'

it('leaves nothing that ends a quoted attribute, opens a tag or begins an entity', () => {
  expect(escapeHtml(`<a title="x" id='y'>&lt;</a>`)).toBe(
    '&lt;a title=&quot;x&quot; id=&#39;y&#39;&gt;&amp;lt;&lt;/a&gt;',
  )
})

it('leaves other text and numbers as they are', () => {
  expect(escapeHtml('Käse, 10 £ (net)')).toBe('Käse, 10 £ (net)')
  expect(escapeHtml(-12.5)).toBe('-12.5')
})
