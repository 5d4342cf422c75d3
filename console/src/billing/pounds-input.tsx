import { NumberInput, type NumberInputProps } from '@mantine/core'
import { POUNDS_MAX } from './pounds.ts'

/** An amount as a person types it, in pounds and pence. */
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
