import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ONCE } from '../api/client.ts'
import { unreadQuery } from '../api/organisation.ts'
import { moment } from '../shell/format.ts'
import { ConsolePage, PageLink, State } from '../shell/page.tsx'
import { LogPanel } from '../shell/table.tsx'
import { useOrganisation, useOwnApi } from '../shell/use-session.ts'

/** The page of a thing, by the beginning of the event's type. */
const PAGES: Readonly<Record<string, (id: string) => string>> = {
  check: (id) => `/console/checks/${id}`,
  invoice: () => '/console/billing/invoices',
  alert: () => '/console/billing',
  credit: () => '/console/billing',
  key: () => '/console/keys',
  member: () => '/console/members',
  invitation: () => '/console/members',
  webhook: () => '/console/webhooks',
  sign_in: () => '/console/account',
}

export function Component() {
  const { id: organisationId } = useOrganisation()
  const own = useOwnApi()
  const inbox = useInfiniteQuery({
    queryKey: [organisationId, 'inbox'],
    queryFn: ({ signal, pageParam }) =>
      own.call('GET /api/inbox', {
        query: { organisation_id: organisationId, ...(pageParam === null ? {} : { before: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next ?? undefined,
    // The marks of new events stay while the page is open, although they are read then.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  useMarkRead(inbox.isSuccess)
  return (
    <ConsolePage of="inbox">
      <LogPanel
        title="Events"
        query={inbox}
        empty="None yet. Decisions, invoices, expiring keys and changes of members appear here."
        more="Older events"
        columns={{
          When: [({ timestamp }) => moment(timestamp), 'when'],
          Event: (event) => {
            const page = PAGES[event.type.split('.')[0] ?? '']
            return (
              <>
                <bdi>{event.summary}</bdi> {page ? <PageLink to={page(event.about ?? '')}>Open</PageLink> : null}
              </>
            )
          },
          State: ({ unread }) => (unread ? <State name="open">new</State> : null),
        }}
      />
    </ConsolePage>
  )
}

/** Marks everything as read once it is shown. Only the count in the menu is read again. */
function useMarkRead(shown: boolean): void {
  const { id: organisation_id } = useOrganisation()
  const own = useOwnApi()
  const queries = useQueryClient()
  useEffect(() => {
    if (!shown) return
    own
      .call('POST /api/inbox/read', { body: { organisation_id }, ...ONCE })
      .then(() => queries.invalidateQueries({ queryKey: unreadQuery(own, organisation_id).queryKey }))
      // The events stay unread, and the next visit marks them.
      .catch(() => {})
  }, [shown, own, organisation_id, queries])
}
