import { Anchor, Text } from '@mantine/core'
import type { Application, AskedFor } from '../api/generated/pages.ts'
import { ScopeList } from './scope-list.tsx'

/** Whose application it is. Somebody else's is marked: nobody here answers for it. */
export function Owner({ client: { owner } }: { client: Pick<Application, 'owner'> }) {
  if (owner === null) return 'Part of this server'
  return (
    <>
      By <bdi>{owner.name}</bdi>
      {owner.yours === false ? (
        <>
          , <strong className="foreign">not your organisation</strong>
        </>
      ) : null}
      {owner.yours === true ? ', your organisation' : null}
    </>
  )
}

/** What it would be able to do, what weighs most first. */
export function Asked({ asked, who }: { asked: AskedFor; who: string }) {
  const { charged, about_you: aboutYou, stays_days: days } = asked
  return (
    <div className="asked">
      {charged.length > 0 ? (
        <section aria-labelledby="asked-money">
          <h2 id="asked-money">Spend money</h2>
          <Text size="sm" c="dimmed">
            Each check is charged to the organisation you choose, at the price of its plan.
          </Text>
          <ScopeList scopes={charged} label={`What ${who} would be able to spend money on`} />
        </section>
      ) : null}
      {aboutYou.length > 0 ? (
        <section aria-labelledby="asked-you">
          <h2 id="asked-you">About you</h2>
          <ScopeList scopes={aboutYou} label={`What ${who} would know about you`} />
        </section>
      ) : null}
      {days === null ? null : (
        <section aria-labelledby="asked-stay">
          <h2 id="asked-stay">Stay connected for {days === 1 ? 'a day' : `${days} days`}</h2>
          <Text size="sm" c="dimmed">
            It can do all this while you are away, until you withdraw it.
          </Text>
        </section>
      )}
    </div>
  )
}

/** What the application says about itself, at addresses of its own. */
export function Links({ client }: { client: Application }) {
  const links = [
    ['Privacy policy', client.policy_uri],
    ['Terms', client.terms_uri],
  ] as const
  const given = links.filter(([, uri]) => uri !== null)
  if (given.length === 0) return null
  return (
    <ul className="link-row" aria-label={`Pages of ${client.name}`}>
      {given.map(([label, uri]) => (
        <li key={label}>
          <Anchor href={uri ?? ''} target="_blank" rel="noopener noreferrer" size="sm">
            {label} of <bdi>{client.name}</bdi>
          </Anchor>
        </li>
      ))}
    </ul>
  )
}
