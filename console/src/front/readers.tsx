import { Anchor, Box } from '@mantine/core'
import { Link } from 'react-router'
import { BASE_PATH } from '../api/base.ts'
import { REFERENCE } from '../shell/site.tsx'

interface Reader {
  readonly who: string
  readonly why: string
  readonly guide: { readonly to: string; readonly words: string }
}

const READERS: readonly Reader[] = [
  {
    who: 'Accounts payable',
    why: 'An invoice names a new address or a new account. Check who wrote it before the payment run: one address, or the whole list from a spreadsheet.',
    guide: { to: '/guides/console', words: 'The console' },
  },
  {
    who: 'Procurement',
    why: 'A supplier applies. See since when its domain exists, who vouches for it, and whose name it comes close to.',
    guide: { to: '/guides/intelligence', words: 'How a score comes about' },
  },
  {
    who: 'Security operations',
    why: 'An address turns up in a log. Learn whether it is a resolver, an exit node or a known attacker, with the source and its date.',
    guide: { to: '/guides/feeds', words: 'Every source and its licence' },
  },
  {
    who: 'Developers',
    why: 'One request gives one answer, or ten thousand. Repeats are safe, every charge is in the answer, and the client is typed.',
    guide: { to: '/guides/api', words: 'The HTTP interface' },
  },
]

/** Who it is for. */
export function Readers() {
  return (
    <section className="site-width front-part" aria-labelledby="readers">
      <div className="front-part-head">
        <h2 id="readers">Who it is for</h2>
      </div>
      <ul className="front-readers">
        {READERS.map(({ who, why, guide }) => (
          <li key={who}>
            <h3>{who}</h3>
            <p>{why}</p>
            <Anchor component={Link} to={guide.to}>
              {guide.words}
            </Anchor>
          </li>
        ))}
      </ul>
    </section>
  )
}

const EXAMPLE = (origin: string) => `curl '${origin}/v1/payment-risk?explain=true' \\
  -H "x-api-key: $ASSAY_API_KEY" \\
  -H 'content-type: application/json' \\
  -d '{"email":"accounts@supplier.example"}'`

/** The way into other systems. */
export function Developers() {
  return (
    <section className="site-width front-part" aria-labelledby="developers">
      <div className="front-part-head">
        <h2 id="developers">In your own systems</h2>
        <p>
          The <Anchor href={REFERENCE}>API reference</Anchor> names every operation, field and error. The{' '}
          <Anchor component={Link} to="/guides/sdk">
            TypeScript client
          </Anchor>{' '}
          and the{' '}
          <Anchor component={Link} to="/guides/cli">
            command line
          </Anchor>{' '}
          send lists of any length. All of it is in the{' '}
          <Anchor component={Link} to="/guides">
            guides
          </Anchor>
          .
        </p>
      </div>
      {/* It takes the focus, so that the keyboard can scroll it. */}
      <Box component="pre" className="front-example" tabIndex={0} aria-label="A request">
        {EXAMPLE(window.location.origin + BASE_PATH)}
      </Box>
    </section>
  )
}
