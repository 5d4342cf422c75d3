import type { CheckAnswer } from '@assay/sdk'
import { levelMark, verdictOf } from './answered.ts'

export function LevelMark({ result }: { result: CheckAnswer }) {
  return (
    <span className="level whole-words" data-level={levelMark(result)}>
      {verdictOf(result)}
    </span>
  )
}
