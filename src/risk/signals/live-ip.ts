import { factFinding, type LiveSignal, NOTHING } from './signal.ts'

export const LIVE_IP_SIGNALS = [
  {
    code: 'ip.crawler',
    description: 'A crawler of a search engine, confirmed by its name',
    group: 'standing',
    detect: ({ subject: { special }, facts: { reverse } }) => {
      const crawler = reverse && special === undefined ? crawlerIn(reverse.confirmed) : undefined
      if (crawler === undefined) return NOTHING
      const { name, owner } = crawler
      return factFinding('dns', reverse?.seenMs, () => `A crawler of ${owner}: ${name} leads back to this address`)
    },
  },
  {
    code: 'ip.reverse_dns',
    description: 'Reverse DNS name of the address',
    group: 'note',
    detect: ({ subject: { special }, facts: { reverse } }) => {
      const name = reverse?.confirmed[0] ?? reverse?.names[0]
      if (reverse === undefined || name === undefined || special !== undefined) return NOTHING
      if (crawlerIn(reverse.confirmed) !== undefined) return NOTHING
      const say = () => {
        if (reverse.confirmed.length === 0) return `Calls itself ${name}, which does not lead back to this address`
        return NUMBERED.test(name)
          ? `Named ${name}, as providers name the lines of their customers`
          : `Named ${name}, which leads back to this address`
      }
      return factFinding('dns', reverse.seenMs, say)
    },
  },
] as const satisfies readonly LiveSignal<'ip'>[]

/** Crawlers whose owners document that their names resolve back to the address. */
const CRAWLERS: Readonly<Record<string, string>> = {
  'googlebot.com': 'Google',
  'google.com': 'Google',
  'search.msn.com': 'Bing',
  'applebot.apple.com': 'Apple',
  'crawl.yahoo.net': 'Yahoo',
  'crawl.baidu.com': 'Baidu',
  'crawl.baidu.jp': 'Baidu',
  'yandex.ru': 'Yandex',
  'yandex.net': 'Yandex',
  'yandex.com': 'Yandex',
  'crawl.amazonbot.amazon': 'Amazon',
}

function crawlerIn(confirmed: readonly string[]): { readonly name: string; readonly owner: string } | undefined {
  for (const name of confirmed) {
    for (const [ending, owner] of Object.entries(CRAWLERS)) if (name.endsWith(`.${ending}`)) return { name, owner }
  }
  return undefined
}

/** Names that providers assign to their customers' lines by number. */
const NUMBERED = /(\d{1,3}[-.x]){3}\d{1,3}|\b(dyn|dynamic|dhcp|pool|ppp|pppoe|dsl|adsl|cable|broadband|cust)\b/i
