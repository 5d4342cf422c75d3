import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'
import { useEffect, useState } from 'react'

const QUIET_MS = 150

/** A skeleton that stays away from fast answers, so that nothing flickers. */
export function Loading() {
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), QUIET_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div role="status">
      <VisuallyHidden>Loading</VisuallyHidden>
      {shown ? (
        <Stack gap="md" maw="27rem" mx="auto" p="lg" pt="20vh">
          <Skeleton height={36} width="70%" />
          <Skeleton height={16} />
          <Skeleton height={16} width="85%" />
          <Skeleton height={42} mt="md" />
          <Skeleton height={42} />
        </Stack>
      ) : null}
    </div>
  )
}
