import type { Command } from 'commander'
import type { Sql, Tx } from '../db/sql.ts'
import { type VerbContext, VerbError } from '../verb/context.ts'
import { fieldLines } from '../verb/output.ts'
import { type Store, withStore } from '../verb/store.ts'
import { optional, required, verbsOf } from '../verb/verb.ts'
import {
  announceMaintenance,
  beginMaintenance,
  endMaintenance,
  maintenanceView,
  readMaintenance,
} from './maintenance.ts'
import { findRequest, NO_SUCH_REQUEST } from './requests.ts'

const MESSAGE_CHARACTERS_MAX = 500

export function registerSupportVerbs(program: Command, context: VerbContext): void {
  const request = program.command('request').description('answered requests')
  verbsOf(request, context, withStore)('find', 'show a request of the last 30 days, by the id that an error shows', {
    id: required('<id>', 'id of the request: req_…'),
  }).runs(async ({ sql }, { id }) => {
    const found = await findRequest(sql, id)
    if (!found) throw new VerbError(`${NO_SUCH_REQUEST} A server writes them within a second.`)
    return { value: found, text: fieldLines(found, 17) }
  })

  const maintenance = program.command('maintenance').description('close the service with a message, and open it again')
  const add = verbsOf(maintenance, context, withStore)
  add('on', 'close the service: requests get 503 with the message and Retry-After; again to change the message', {
    message: required('--message <text>', 'why, and when it will be open again', checkedMessage),
    untilMs: optional('--until <time>', 'when you expect to open it: 2026-10-01T06:00:00Z', futureTime(context)),
  }).runs((store, { message, untilMs = null }) => changed(store, (tx) => beginMaintenance(tx, { message, untilMs })))
  add('off', 'open the service again', {}).runs((store) => changed(store, endMaintenance))
  add('status', 'show if the service is closed', {}).runs(({ sql }) => state(sql))
}

async function changed({ sql, change }: Store, work: (tx: Tx) => Promise<void>) {
  await change(work)
  await announceMaintenance(sql)
  const { value, text } = await state(sql)
  return { value, text: [...text, 'Running nodes follow within ten seconds.'] }
}

async function state(sql: Sql) {
  const found = maintenanceView(await readMaintenance(sql))
  const text = found ? ['The service is closed.', ...fieldLines(found, 9)] : ['The service is open.']
  return { value: { on: found !== null, ...found }, text }
}

function checkedMessage(text: string): string {
  const message = text.trim()
  if (message !== '' && message.length <= MESSAGE_CHARACTERS_MAX) return message
  throw new VerbError(`--message: write 1 to ${MESSAGE_CHARACTERS_MAX} characters.`)
}

function futureTime({ machine }: VerbContext) {
  return (text: string): number => {
    const timeMs = /T\d\d:\d\d.*(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN
    if (timeMs > machine.now()) return timeMs
    throw new VerbError(`--until: ${JSON.stringify(text)} is not a time to come, such as 2026-10-01T06:00:00Z.`)
  }
}
