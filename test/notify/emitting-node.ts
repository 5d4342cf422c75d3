import { setImmediate as nextTurn } from 'node:timers/promises'
import { openPostgres } from '../../src/db/postgres.ts'
import { changeIn } from '../../src/db/sql.ts'
import { openSqlite } from '../../src/db/sqlite.ts'
import { emit } from '../../src/events/emit.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { createRing } from '../../src/lib/seal.ts'
import { createWebhookJob } from '../../src/notify/deliveries.ts'

/** A node that writes events and delivers them until it is killed. It prints the name of each event that is committed. */

// The pipe ends with the process of the test, however that process ended: this one is never left alone.
process.stdin.resume().once('close', () => process.exit(1))

const { place, own } = JSON.parse(process.argv[2]!)
const sql = await (place.engine === 'sqlite' ? openSqlite({ file: place.file }) : openPostgres({ url: place.url }))
const ring = createRing([{ id: 1, material: Buffer.from('the sealing key number 1, which is long') }], 1)
const job = createWebhookJob({
  sql,
  clock: systemClock,
  ring,
  allowLoopback: true,
  sendsMail: false,
  onError: (error) => {
    throw error
  },
})
async function deliverForever() {
  for (;;) {
    await job.run(new AbortController().signal)
    await nextTurn()
  }
}
void deliverForever()
for (let n = 0; ; n++) {
  const name = `${process.pid} ${n}`
  await changeIn(sql, systemClock, async (tx) =>
    emit(tx, {
      organisationId: own,
      type: 'key.expiring',
      data: { key_id: 'key_1', name, expires_at: '2026-03-15T00:00:00.000Z' },
    }),
  )
  process.stdout.write(`${name}\n`)
}
