import { describe, expect, it } from 'vitest'
import { recognise } from './recognise.ts'

describe('recognising what was typed', () => {
  it.each([
    ['accounts@example.com', 'email', 'accounts@example.com'],
    ['  Jane Doe <jane@example.com> ', 'email', 'jane@example.com'],
    ['mailto:jane@example.com?subject=x', 'email', 'jane@example.com'],
    ['jürgen@müller.example', 'email', 'jürgen@müller.example'],
    ['example.com', 'domain', 'example.com'],
    ['EXAMPLE.co.uk.', 'domain', 'EXAMPLE.co.uk.'],
    ['https://shop.example.com/pay?x=1', 'domain', 'shop.example.com'],
    ['bücher.example', 'domain', 'bücher.example'],
    ['185.220.101.1', 'ip', '185.220.101.1'],
    ['2001:db8::1', 'ip', '2001:db8::1'],
    ['http://[2001:db8::1]:8080/', 'ip', '2001:db8::1'],
  ])('%s is an indicator', (text, kind, value) => {
    expect(recognise(text)).toEqual({ kind, value })
  })

  it.each([
    ['', undefined],
    ['jane@', 'email'],
    ['@example.com', 'email'],
    ['jane doe@example.com', 'email'],
    ['jane@localhost', 'email'],
    ['localhost', 'domain'],
    ['exa mple.com', 'domain'],
    ['example.com/path', 'domain'],
    ['256.1.1.1', 'ip'],
    ['01.2.3.4', 'ip'],
    ['10.0.0.0/8', 'ip'],
    ['2001:::1', 'ip'],
  ])('%s is refused with a reason', (text, kind) => {
    const result = recognise(text)
    expect(result.kind).toBe(kind)
    expect('problem' in result && result.problem).toMatch(/\.$/)
  })
})
