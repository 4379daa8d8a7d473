import { randomUUID } from 'node:crypto'
import { fromKysely, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Db, Tx } from '#platform/db/database.ts'
import { bossDatabase, bossSchema, logBoss } from './boss.ts'
import { currentTraceparent } from '../tracing/tracing.ts'
import type { DefinedJob, Envelope } from './defined-job.ts'
import type { EnqueueOptions } from './job.ts'
import { ensureQueues } from './queues.ts'

/** The half of pg-boss that every process has: makes its schema and queues, and stores jobs in our transactions. */
export class Sender {
  readonly #boss: PgBoss
  #isPreparing = false

  constructor(db: Db, log: Logger) {
    const pool = bossDatabase(db)
    this.#boss = new PgBoss({
      schema: bossSchema,
      supervise: false,
      schedule: false,
      db: {
        // A query beside the transaction would wait for it forever on the embedded database. Better an error than that.
        executeSql: async (text, values) => {
          if (!this.#isPreparing) throw new Error('Jobs can be enqueued after prepare() only.')
          return pool.executeSql(text, values)
        },
      },
    })
    logBoss(this.#boss, log)
  }

  /** Makes or migrates the schema, then the queues. Processes that do this at once take turns. */
  async prepare(jobs: readonly DefinedJob[]): Promise<void> {
    this.#isPreparing = true
    try {
      await this.#boss.start()
      await ensureQueues(this.#boss, jobs)
    } finally {
      await this.#boss.stop()
      this.#isPreparing = false
    }
  }

  async send(tx: Tx, name: string, data: object, { singletonKey }: EnqueueOptions): Promise<void> {
    const id = randomUUID()
    const traceparent = currentTraceparent()
    const envelope: Envelope = { job: name, id, data, ...(traceparent === undefined ? {} : { traceparent }) }
    const options = { db: fromKysely(tx) }
    if (singletonKey !== undefined) return this.#fold(name, envelope, { ...options, singletonKey })
    // In these queues no key is a key too, so each job has its own.
    await this.#boss.send(name, envelope, { ...options, id, singletonKey: id })
  }

  /**
   * Inserts, or changes the one that waits. The change is what makes folding safe: it locks the waiting job until `tx`
   * ends, and workers skip what is locked, so it cannot start before this transaction's rows can be seen. When a worker
   * takes it between the two statements, the next insert succeeds.
   */
  async #fold(name: string, envelope: Envelope, options: FoldOptions): Promise<void> {
    for (let attempt = 0; attempt < maxFolds; attempt++) {
      if ((await this.#boss.send(name, envelope, options)) !== null) return
      if ((await this.#boss.update(name, envelope, options)).updated > 0) return
    }
    throw new Error(`A job of ${name} could neither be stored nor folded.`)
  }
}

interface FoldOptions {
  readonly db: ReturnType<typeof fromKysely>
  readonly singletonKey: string
}

const maxFolds = 10
