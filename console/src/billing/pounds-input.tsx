import { NumberInput, type NumberInputProps } from '@mantine/core'
import { POUNDS_MAX } from './pounds.ts'

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
