import type pg from 'pg'
import { asUnavailable } from './database-unavailable.ts'
import type { PgliteProcess } from './pglite-process.ts'
import { connect } from './pool-database.ts'

/** How long work that may be lost waits for a sync that others ask for; PostgreSQL's `wal_writer_delay`. */
const unsyncedMs = 200
/** While others wait for the connection, syncs take at most a fifth of its time. */
const maxWaitInSyncs = 4

/**
 * Lets transactions that end soon after each other share one sync of the disk.
 *
 * The embedded database commits with `synchronous_commit=off`: it goes on without waiting for the disk, and knows how
 * much of its log is there (PostgreSQL manual, "Asynchronous Commit"). A loss of power then takes the end of the log,
 * never a part of a transaction, so what is left to do is to hold answers back until the log is on the disk.
 *
 * Everything leaves the database through its one connection. Whoever gives that back while the log is ahead of the disk
 * joins a group, readers too, since they may have seen what can still be lost. A sync is sent before the next user's
 * first statement, and the database does one thing after the other: so no transaction is open, and the sync covers all
 * that the group did or saw. When nobody waits for the connection it is sent at once. When somebody does, they will give
 * it back too, and that is the next time to decide; but the first of a group waits no longer than four syncs take.
 *
 * Work that may be lost joins no group; a sync comes a little later.
 */
export class CommitGroup {
  readonly #pglite: PgliteProcess
  readonly #pool: pg.Pool
  /** Connections taken for work that may be lost. */
  readonly #unsynced = new WeakSet<pg.PoolClient>()
  /** Those that wait for a sync that is not sent yet. */
  #open: Group | undefined
  #last: Promise<void> = Promise.resolve()
  #later: NodeJS.Timeout | undefined
  #syncMs = 0

  constructor(pglite: PgliteProcess, pool: pg.Pool) {
    this.#pglite = pglite
    this.#pool = pool
    pool.on('release', (_error, client) => this.#join(this.#unsynced.delete(client)))
  }

  /** Takes a connection for work that may be lost. */
  async connectUnsynced(): Promise<pg.PoolClient> {
    const client = await connect(this.#pool)
    this.#unsynced.add(client)
    return client
  }

  /**
   * Resolves when all that was done or seen over connections given back so far is on the disk.
   * @throws DatabaseUnavailable when nobody knows that.
   */
  durable(): Promise<void> {
    return this.#last
  }

  /** To be called when all of the database is on the disk. */
  settle(): void {
    this.#open?.resolve()
    this.#open = undefined
  }

  #join(isUnsynced: boolean): void {
    if (!this.#pglite.isLogAhead) return this.settle()
    if (isUnsynced && this.#open === undefined) return this.#syncLater()
    this.#open ??= newGroup()
    const { promise, since } = this.#open
    this.#last = promise
    if (this.#pool.waitingCount === 0 || performance.now() - since >= maxWaitInSyncs * this.#syncMs) void this.#sync()
  }

  #syncLater(): void {
    if (this.#later !== undefined) return
    this.#later = setTimeout(() => {
      this.#later = undefined
      // Whoever uses the connection asks for a sync. One that cannot be had is closed or broken: there is nothing to sync.
      connect(this.#pool).then(
        (client) => client.release(),
        () => undefined,
      )
    }, unsyncedMs).unref()
  }

  async #sync(): Promise<void> {
    const group = this.#open
    this.#open = undefined
    const startedAt = performance.now()
    try {
      await this.#pglite.syncLog()
      group?.resolve()
    } catch (error) {
      group?.reject(asUnavailable(error))
    }
    this.#syncMs = performance.now() - startedAt
  }
}

interface Group extends PromiseWithResolvers<void> {
  readonly since: number
}

const newGroup = (): Group => {
  const group = { ...Promise.withResolvers<void>(), since: performance.now() }
  // Nobody may be there to hear it.
  group.promise.catch(() => undefined)
  return group
}
