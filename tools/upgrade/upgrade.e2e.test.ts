import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { signingKeys, standardSignature } from '#delivery/attempt/signing.ts'
import { readMigrations } from '#platform/db/migrate.ts'
import { openDatabase } from '#platform/db/open.ts'
import { makePrivate } from '#platform/db/private-files.ts'
import { eventually } from '#testing/eventually.ts'
import { createDatabase } from '#testing/open-test-database.ts'
import { startServer } from '#testing/processes/server-process.ts'
import { startProgram } from '#testing/processes/start-program.ts'
import { makeReceiver } from '#testing/receiver.ts'
import { askAs, hookSecret, keptLists, livingLists, logIn, readList, type Recorded } from './fill.ts'

// What the version before stored is opened by this one. tools/upgrade/record.ts made it.

const recorded = JSON.parse(readFileSync(join(import.meta.dirname, 'previous.json'), 'utf8')) as Recorded
const statements = gunzipSync(readFileSync(join(import.meta.dirname, 'previous.sql.gz'))).toString()
/** As the migrations leave a database that has no such extension, the embedded one for instance. */
const withoutTrigrams = statements.replaceAll(/^[^\n]*(EXTENSION[^\n]* pg_trgm|gin_trgm_ops)[^\n]*;$/gm, '')
const directory = mkdtempSync(join(tmpdir(), 'waybill-upgrade-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** Settings of a server whose database is as the version before left it. */
const placeOf = async (engine: 'embedded' | 'postgres'): Promise<Record<string, string>> => {
  const data = join(directory, engine)
  mkdirSync(data, { mode: 0o700 })
  const server = engine === 'postgres' ? await createDatabase('template0') : undefined
  if (server !== undefined) onTestFinished(server.remove)
  const database = await openDatabase({ url: server?.url, directory: join(data, 'database'), poolSize: 1 })
  await database.scriptTransaction(async (run) => {
    const [extension] = await run("select from pg_available_extensions where name = 'pg_trgm'")
    await run(extension === undefined ? withoutTrigrams : statements)
  })
  await database.close()
  makePrivate(data)
  return {
    DATA_DIR: data,
    SECRET_KEY: recorded.secretKey,
    // However old the recording is by now.
    EVENT_RETENTION_DAYS: '36500',
    ATTEMPT_RETENTION_DAYS: '36500',
    ...(server === undefined ? {} : { DATABASE_URL: server.url }),
  }
}

const engines = ['embedded', ...(process.env['TEST_WITHOUT_POSTGRES'] === undefined ? ['postgres'] : [])] as const

describe.each(engines)(`an installation of ${recorded.madeBy}, %s`, (engine) => {
  test('is upgraded: all is there, deliveries go on, and the doctor finds nothing', { timeout: 180_000 }, async () => {
    expect(statements).not.toContain(`'${(await readMigrations()).at(-1)?.name}'`)
    const environment = await placeOf(engine === 'postgres' ? engine : 'embedded')
    const server = await startServer(environment, directory)
    onTestFinished(async () => void (await server.stop()))
    const ask = askAs(server.origin, `Api-Key ${recorded.apiKey}`)
    expect(await logIn(server.origin)).toBeTruthy()

    for (const path of keptLists)
      expect({ [path]: await readList(ask, path) }).toMatchObject({ [path]: recorded.lists[path] })
    for (const path of livingLists)
      expect([path, ...idsOf(await readList(ask, path))]).toEqual([path, ...idsOf(recorded.lists[path] ?? [])])

    const receiver = await makeReceiver()
    await ask('PATCH', `/whisperer/hooks/${recorded.hook}/`, { target_url: `${receiver.url}/` })
    await ask('POST', `/whisperer/hook_events/${recorded.delivery}/retry/`, { force: true })
    await ask('POST', '/api/v1/events/', { id: 'after', type: 'crm.customer.updated', data: { id: 8 } })
    // What is known is not raised again.
    const again = { id: 'before', type: 'crm.customer.updated', data: { id: 7, name: 'Ayşe' } }
    expect(await ask('POST', '/api/v1/events/', again)).toEqual({ accepted: 0, duplicates: 1 })
    await receiver.got(2)
    for (const { headers, body } of receiver.received) {
      const [id, timestamp] = [String(headers['webhook-id']), Number(headers['webhook-timestamp'])]
      const signature = standardSignature(signingKeys(hookSecret).standard, id, timestamp, body)
      expect(headers['webhook-signature']).toBe(signature)
    }
    const names = receiver.received.map(({ body }) => (JSON.parse(body.toString()) as { payload: object }).payload)
    expect(names).toEqual(expect.arrayContaining([again.data, { id: 8 }]))
    const delivery = () => ask('GET', `/whisperer/hook_events/${recorded.delivery}/`)
    await eventually(async () => expect(await delivery()).toMatchObject({ delivered: true }))

    expect(server.errors).toEqual([])
    await server.stop()
    const doctor = startProgram('server/waybill.ts', { args: ['doctor'], directory, environment })
    let output = ''
    for (const stream of [doctor.stdout, doctor.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
    await once(doctor, 'close')
    expect({ status: doctor.exitCode, output }).toMatchObject({ status: 0 })
  })
})

const idsOf = (rows: Recorded['lists'][string]): string[] =>
  rows.map(({ id, _id }) => JSON.stringify(id ?? _id)).toSorted()
