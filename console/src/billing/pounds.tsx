import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useState } from 'react'

/** Converts between pounds as a person types them and pence as the server counts them. */

const POUNDS_MAX = 1_000_000

function penceOf(pounds: number | string): number | undefined {
  const value = typeof pounds === 'number' ? pounds : pounds.trim() === '' ? Number.NaN : Number(pounds)
  return Number.isFinite(value) && value >= 0 ? Math.round(value * 100) : undefined
}

const TOP_UP_PENCE_MIN = 100

export function topUpProblem(pence: number | undefined): string | undefined {
  const fine = pence !== undefined && pence >= TOP_UP_PENCE_MIN && pence <= POUNDS_MAX * 100
  return fine ? undefined : 'From £1 to £1,000,000.'
}

/** An amount that a person types. */
export function usePounds(initial: number | '' = '') {
  const [value, onChange] = useState<number | string>(initial)
  return { pence: penceOf(value), field: { value, onChange } }
}

export function PoundsInput(props: NumberInputProps) {
  return (
    <NumberInput
      max={POUNDS_MAX}
      decimalScale={2}
      allowNegative={false}
      thousandSeparator=","
      hideControls
      {...props}
    />
  )
}
