import { attackOf, type Family } from '../attack.ts'
import { anyOperation, prepare } from '../drafts.ts'

/** Every method, also those nobody has, on every path. */
export const methods: Family = {
  name: 'methods',
  weight: 2,
  make(random, world) {
    const operation = anyOperation(random)
    const { draft, caller } = prepare(random, world, operation)
    if (random.chance(0.2)) {
      const name = random.pick(['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'])
      const instead = random.pick(['DELETE', 'PATCH', 'GET', 'nonsense'])
      const query = random.chance(0.3) ? `${draft.target.includes('?') ? '&' : '?'}_method=${instead}` : ''
      // Such a header changes nothing: the answer is one of the operation that was asked for.
      return attackOf(
        { ...draft, target: draft.target + query, headers: [...draft.headers, [name, instead]] },
        { about: `${name}: ${instead}`, target: operation, caller },
      )
    }
    const method = random.pick(METHODS)
    // Node reads a few methods beyond those of HTTP, and closes at one it does not know, or that asks for a tunnel.
    const clear = CLEAR.has(method)
    return attackOf(
      { ...draft, method },
      {
        about: `${method || 'no method'} ${operation.path}`,
        target: method === operation.method ? operation : undefined,
        caller,
        clear,
      },
    )
  },
}

const CLEAR = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const METHODS = [
  ...CLEAR,
  'TRACE',
  'CONNECT',
  'PROPFIND',
  'SEARCH',
  'QUERY',
  'LINK',
  'PURGE',
  'MKCOL',
  'LOCK',
  'REPORT',
  'M-SEARCH',
  'get',
  'Post',
  'BREW',
  'X'.repeat(300),
  '',
  'GET,POST',
  'GE\0T',
  '__proto__',
  'PRI',
]
