import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'
import { migrate, readMigrations } from '../platform/db/migrate.ts'
import { openPglite } from '../platform/db/open-pglite.ts'
import { openPostgres } from '../platform/db/open-postgres.ts'
import { makeJobs } from '../platform/jobs/jobs.ts'
import { bundlePrograms } from './processes/bundle-programs.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** File with a dumped, migrated, empty embedded database. */
    pgliteTemplate: string
    /** The directory of that database. */
    pgliteDirectory: string
    /** Name of a migrated, empty database on the test server. */
    postgresTemplate: string
  }
}

/**
 * Migrates one database of each kind for the whole run, and bundles the programs that tests start; they start from copies, which
 * takes a fraction of the time.
 */
const setup = async (root: TestProject): Promise<() => Promise<void>> => {
  const projects = new Set(root.vitest.projects.map(({ name }) => name))
  const hasServer = projects.has('postgres') || projects.has('processes')
  const hasFiles = projects.size > 1 || !projects.has('postgres')
  const teardowns = await Promise.all([
    ...(hasServer ? [templateOnServer(root)] : []),
    ...(hasFiles ? [templateInFiles(root)] : []),
    ...(projects.has('processes') ? [bundledPrograms()] : []),
  ])
  return async () => {
    for (const teardown of teardowns) await teardown()
  }
}

export default setup

const templateInFiles = async (project: TestProject): Promise<() => Promise<void>> => {
  const directory = await mkdtemp(join(tmpdir(), 'waybill-template-'))
  const databaseDirectory = join(directory, 'database')
  const database = await openPglite({ directory: databaseDirectory })
  await migrate(database, await readMigrations())
  await makeJobs({ database, log: pino({ level: 'silent' }) }).prepare()
  // Nobody makes databases from them, and they would be a third of every copy.
  await sql`update pg_database set datistemplate = false`.execute(database.db)
  for (const unused of ['template0', 'template1']) await sql`drop database ${sql.ref(unused)}`.execute(database.db)
  // Otherwise every copy would begin with repeating what the migrations wrote.
  await sql`checkpoint`.execute(database.db)
  const file = join(directory, 'template.tar')
  await writeFile(file, await database.dump())
  await database.close()
  project.provide('pgliteTemplate', file)
  project.provide('pgliteDirectory', databaseDirectory)
  return () => rm(directory, { recursive: true })
}

const templateOnServer = async (project: TestProject): Promise<() => Promise<void>> => {
  const server = process.env['TEST_DATABASE_URL']
  if (server === undefined) throw new Error('TEST_DATABASE_URL is not set: run the tests with npm test.')
  const name = `waybill_template_${process.pid}`
  const admin = new pg.Client({ connectionString: server })
  await admin.connect()
  await admin.query(`create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const database = await openPostgres({ url: url.href, poolSize: 2 })
  await migrate(database, await readMigrations())
  await makeJobs({ database, log: pino({ level: 'silent' }) }).prepare()
  await database.close()
  project.provide('postgresTemplate', name)
  return async () => {
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
  }
}

const bundledPrograms = async (): Promise<() => Promise<void>> => {
  // Below the project, where they find the packages that are not in them.
  const directory = await mkdtemp(join(import.meta.dirname, '../../node_modules/.programs-'))
  // Tests that start programs are processes of this one.
  process.env['TEST_PROGRAMS'] = JSON.stringify(await bundlePrograms(directory))
  return () => rm(directory, { recursive: true })
}
