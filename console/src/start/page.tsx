import { Card, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import type { OrganisationState } from '../api/interaction.ts'
import { Heading } from '../shell/heading.tsx'
import { useSession } from '../shell/use-session.ts'

const STATES: Readonly<Record<OrganisationState, { label: string; words: string }>> = {
  active: { label: 'Active', words: 'Checks are answered and charged to this organisation.' },
  inactive: {
    label: 'Inactive',
    words: 'The subscription has ended: checks are refused until somebody subscribes again.',
  },
  disabled: { label: 'Disabled', words: 'The operator has disabled it: contact the operator.' },
}

export function Component() {
  const { user, organisations } = useSession()
  return (
    <Stack gap="lg" maw={960}>
      <div>
        <Heading>{user.name ? `Welcome, ${user.name}` : 'Welcome'}</Heading>
        <Text c="dimmed" mt={6}>
          {organisations.length === 0
            ? 'You belong to no organisation yet. Ask the owner of yours to invite you.'
            : 'Your organisations.'}
        </Text>
      </div>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        {organisations.map((organisation) => {
          const state = STATES[organisation.state]
          return (
            <Card key={organisation.id} withBorder padding="lg" bg="var(--assay-sheet)">
              <Group justify="space-between" wrap="nowrap" align="flex-start">
                <Text component="h2" fw={600} m={0}>
                  {organisation.name}
                </Text>
                <span className="state" data-state={organisation.state}>
                  {state.label}
                </span>
              </Group>
              <Text size="sm" c="dimmed" mt={4}>
                Your role: {organisation.role}
              </Text>
              <Text size="sm" mt="sm">
                {state.words}
              </Text>
            </Card>
          )
        })}
      </SimpleGrid>
    </Stack>
  )
}
