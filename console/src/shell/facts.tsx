import { DataList } from '@mantine/core'
import type { ReactNode } from 'react'

/** Facts, each beside its name. Empty ones are left out. */
export function Facts({ of }: { of: Readonly<Record<string, ReactNode>> }) {
  return (
    <DataList size="md" gap={6} labelWidth="7rem" m={0}>
      {Object.entries(of).map(([name, value]) =>
        value === null || value === undefined ? null : (
          <DataList.Item key={name}>
            <DataList.ItemLabel>{name}</DataList.ItemLabel>
            <DataList.ItemValue className="breakable">{value}</DataList.ItemValue>
          </DataList.Item>
        ),
      )}
    </DataList>
  )
}
