import type { Attack, Family } from '../attack.ts'
import { operationOf } from '../document.ts'
import { prepare } from '../drafts.ts'
import { type Answer, render } from '../wire.ts'

/** Many requests sent at once on one connection: each is answered, in the order they were sent. */
export const pipelining: Family = {
  name: 'pipelining',
  weight: 1,
  make(random, world): Attack {
    const count = random.int(2, 12)
    const sent = Array.from({ length: count }, () => random.pick(KNOWN))
    const caller = random.pick(world.attackers)
    const pieces = sent.map(({ method, target }) => {
      if (method !== 'POST') return render({ method, target, headers: [['Host', 'localhost']] })
      const { draft } = prepare(random, world, operationOf('checkInfrastructureRisk'))
      return render(draft)
    })
    const broken = random.chance(0.25)
    const bytes = Buffer.concat([...pieces, ...(broken ? [Buffer.from('NONSENSE\r\n\r\n')] : [])])
    return {
      about: `${count} requests at once${broken ? ', then nonsense' : ''}`,
      bytes: [bytes],
      methods: [...sent.map(({ method }) => method), ...(broken ? ['GET'] : [])],
      target: undefined,
      caller,
      clear: !broken,
      judge: (answers) => inOrder(sent, answers, broken),
    }
  },
}

interface Known {
  readonly method: string
  readonly target: string
  readonly fits: (answer: Answer) => boolean
}

const page = (code: string): Known => ({
  method: 'GET',
  target: `/problems/${code}`,
  fits: ({ status, text }) => status === 200 && text.includes(`<code>${code}</code>`),
})

const KNOWN: readonly Known[] = [
  page('conflict'),
  page('not_found'),
  page('forbidden'),
  { method: 'GET', target: '/v1/plans', fits: ({ status, text }) => status === 200 && text.includes('"prepaid"') },
  { method: 'HEAD', target: '/livez', fits: ({ status, text }) => status === 200 && text === '' },
  { method: 'DELETE', target: '/v1/plans', fits: ({ status }) => status === 405 },
  { method: 'GET', target: '/nowhere', fits: ({ status }) => status === 404 },
  // A check takes the longest: what comes after it must wait.
  {
    method: 'POST',
    target: '/v1/infrastructure-risk',
    fits: ({ json }) =>
      (json as { endpoint?: string })?.endpoint === 'infrastructure-risk' ||
      /credential|rate|credit|csrf|scope/i.test(JSON.stringify(json)),
  },
]

function inOrder(sent: readonly Known[], answers: readonly Answer[], broken: boolean): string[] {
  const faults = sent.flatMap((one, i) => {
    const answer = answers[i]
    if (answer === undefined) return [`${one.method} ${one.target}, number ${i + 1}, has no answer`]
    return one.fits(answer)
      ? []
      : [`${one.method} ${one.target}, number ${i + 1}, has the answer of another: ${answer.status}`]
  })
  return broken && answers.length > sent.length + 1 ? [...faults, 'nonsense was answered twice'] : faults
}
