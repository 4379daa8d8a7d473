import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../../tools/embedded-postgres.ts'
import { startFlakyNetwork, type FlakyNetwork } from './flaky-network.ts'

/** A PostgreSQL of our own, with a network before it that can be broken. */
export interface OwnPostgres {
  readonly cluster: EmbeddedPostgres
  readonly network: FlakyNetwork
  /** Makes an empty database. @returns its direct address. */
  createDatabase(): Promise<string>
  close(): Promise<void>
}

export const openOwnPostgres = async (): Promise<OwnPostgres> => {
  const cluster = await startEmbeddedPostgres()
  const network = await startFlakyNetwork(Number(new URL(cluster.url).port))
  return {
    cluster,
    network,
    createDatabase: async () => {
      const name = `waybill_chaos_${randomBytes(4).toString('hex')}`
      const client = new pg.Client({ connectionString: cluster.url })
      await client.connect()
      await client.query(`create database ${name}`)
      await client.end()
      const url = new URL(cluster.url)
      url.pathname = `/${name}`
      return url.href
    },
    close: async () => {
      await network.close()
      await cluster.stop()
    },
  }
}

/** Runs `work` in a directory that is removed afterwards. */
export const inDirectory = async <T>(work: (directory: string) => Promise<T>): Promise<T> => {
  const directory = mkdtempSync(join(tmpdir(), 'waybill-chaos-'))
  try {
    return await work(directory)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
