import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram } from '../processes/find-program.ts'

/** The programs of a database cluster. */
export interface ClusterPrograms {
  readonly patroni: string
  readonly etcd: string
  readonly haproxy: string
  /** Directory of PostgreSQL's programs, where Debian puts it. */
  readonly postgres: string
}

const versions = '/usr/lib/postgresql'

/** @returns undefined where one of them is not installed. */
export const findClusterPrograms = (): ClusterPrograms | undefined => {
  const [patroni, etcd, haproxy] = ['patroni', 'etcd', 'haproxy'].map(findProgram)
  const newest = existsSync(versions) ? readdirSync(versions).toSorted((a, b) => Number(b) - Number(a))[0] : undefined
  const postgres = join(versions, newest ?? 'none', 'bin')
  const isComplete = patroni !== undefined && etcd !== undefined && haproxy !== undefined
  return isComplete && existsSync(join(postgres, 'postgres')) ? { patroni, etcd, haproxy, postgres } : undefined
}
