import { standardBody } from '#delivery/tables/envelope.ts'
import type { Engine } from '#platform/db/database.ts'
import { openDatabase } from '#platform/db/open.ts'
import { eventOf, newDatabase, newDirectory } from './open-engine.ts'

interface BareInserts {
  /** Events in a statement and a transaction. */
  readonly batch: number
  readonly connections: number
  readonly requests: number
  readonly warmUps: number
}

/** The limit: the bodies of events into a table without an index. @returns events a second. */
export const bareInserts = async (
  name: Engine,
  { batch, connections, requests, warmUps }: BareInserts,
): Promise<number> => {
  const { location, remove } = name === 'postgres' ? await newDatabase() : await newDirectory()
  const database = await openDatabase({ ...location, poolSize: name === 'postgres' ? connections : 1 })
  await database.scriptTransaction((run) => run('create table bare (body text not null)'))
  const values = Array.from({ length: batch }, (_, index) => `($${index + 1})`).join(', ')
  const insertMany = async (count: number): Promise<number> => {
    let next = 0
    const loop = async (): Promise<void> => {
      while (next < count) {
        const first = 1 + next * batch
        next += 1
        const bodies = Array.from({ length: batch }, (_, index) =>
          standardBody('package.created', new Date(), eventOf(first + index).data),
        )
        await database.scriptTransaction((run) => run(`insert into bare (body) values ${values}`, bodies))
      }
    }
    const start = performance.now()
    await Promise.all(Array.from({ length: connections }, loop))
    return (performance.now() - start) / 1_000
  }
  await insertMany(warmUps)
  const seconds = await insertMany(requests)
  await database.close()
  await remove()
  return (requests * batch) / seconds
}
