import { useList } from './use-session.ts'

type Option = { readonly value: string; readonly label: string }

/** Everybody who may have acted, as options. Somebody who has left is listed while the address asks for them. */
export function useActors(
  chosen: string,
  { chosenName, kinds = [] }: { readonly chosenName?: string | undefined; readonly kinds?: readonly Option[] } = {},
) {
  const members = useList('members')
  const keys = useList('keys')
  const clients = useList('clients')
  const options = (things: readonly { id: string; name: string }[] | undefined) =>
    (things ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const groups = [
    { group: 'Kind', items: [...kinds] },
    { group: 'Members', items: options(members.data) },
    { group: 'API keys', items: options(keys.data) },
    { group: 'Applications', items: options(clients.data) },
  ].filter(({ items }) => items.length > 0)
  const isListed = chosen === '' || groups.some(({ items }) => items.some(({ value }) => value === chosen))
  return [
    { value: '', label: 'Anybody' },
    ...(isListed ? [] : [{ value: chosen, label: chosenName ?? chosen }]),
    ...groups,
  ]
}
