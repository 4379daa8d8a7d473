import { randomBytes } from 'node:crypto'
import { get, type IncomingMessage } from 'node:http'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { deriveKey } from '#platform/crypto/digests.ts'
import { makeApp } from '#platform/http/app.ts'
import { contentTypeOf } from '#platform/spreadsheets/table-file.ts'
import { openFolderStore } from '#platform/storage/folder-store.ts'
import { eventually } from '#testing/eventually.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeKeptLog } from '#testing/kept-log.ts'
import { makeTestDirectory } from '#testing/open-test-store.ts'
import { downloadRoutes, type DownloadFile, type DownloadRoutesDeps } from './download-routes.ts'
import { makeDownloadLinks } from './links.ts'

const secretKey = 'a secret key of thirty-two characters!'
const day = 86_400_000
const clock = makeFakeClock()
const start = clock.now().getTime()
const kept = makeKeptLog()
const directory = await makeTestDirectory()
const folder = await openFolderStore(directory)
/** Every stream that was handed out. */
const streams: Readable[] = []
const store = {
  read: async (...args: Parameters<typeof folder.read>) => {
    const stream = await folder.read(...args)
    if (stream !== undefined) streams.push(stream)
    return stream
  },
}
const links = makeDownloadLinks({ keys: { linkKey: deriveKey(secretKey, 'links') }, baseUrl: () => address, clock })
const files = new Map<number, DownloadFile>()
const findFile = vi.fn<DownloadRoutesDeps['findFile']>(async (id) => files.get(id))
const app = await makeApp({
  log: kept.log,
  authenticate: async () => undefined,
  description: { version: '1.0.0', webhooks: {} },
  errorShapes: [],
  trustedProxies: [],
  corsOrigins: [],
  routes: [downloadRoutes({ clock, links, store, findFile })],
})
let address = ''
beforeAll(async () => {
  address = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => app.close())
beforeEach(() => {
  findFile.mockClear()
  streams.length = 0
})

/** An export with such a file; its link. */
const exportOf = async (id: number, bytes: Buffer, changes: Partial<DownloadFile> = {}): Promise<string> => {
  const file = `export-${id}-1.csv`
  const path = join(directory, `.making-${id}`)
  await writeFile(path, bytes)
  await folder.put(file, path, { contentType: contentTypeOf.csv, signal: new AbortController().signal })
  const expiresAt = new Date(clock.now().getTime() + day)
  const fileName = 'quotations-2026-11-21.csv'
  files.set(id, { file, bytes: bytes.length, fileName, contentType: contentTypeOf.csv, expiresAt, ...changes })
  return links.link(id, expiresAt)
}
const allClosed = async (count: number): Promise<void> =>
  eventually(() => expect(streams.map(({ closed }) => closed)).toEqual(Array.from({ length: count }, () => true)))
const noSuchFile = async (answer: Response): Promise<void> => {
  expect(answer.status).toBe(404)
  expect(await answer.text()).toBe('{"detail":"Not found."}')
}

const large = randomBytes(8_000_000)
const largeLink = await exportOf(1, large)
const small = Buffer.from('id,name\r\n1,"a"\r\n')
const smallLink = await exportOf(2, small)

/** Not before the port is known, which is part of a link. */
const reach = (link: string): string =>
  address + new URL(link, 'http://any').pathname + new URL(link, 'http://any').search

describe('the link of an export', () => {
  test('gives the file, without a credential, with what a browser needs to save it', async () => {
    const answer = await fetch(reach(smallLink))
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="quotations-2026-11-21.csv"',
      'content-length': String(small.length),
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    })
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(small)
    await allClosed(1)
  })

  test('gives its head, and reads nothing for it', async () => {
    const [whole, head] = await Promise.all([fetch(reach(largeLink)), fetch(reach(largeLink), { method: 'HEAD' })])
    await whole.arrayBuffer()
    expect(head.status).toBe(200)
    expect(await head.text()).toBe('')
    const copied = ['content-length', 'content-type', 'content-disposition', 'cache-control']
    const headersOf = ({ headers }: Response) => copied.map((name) => [name, headers.get(name)])
    expect(headersOf(head)).toEqual(headersOf(whole))
    await allClosed(2)
    expect(
      streams.map((stream) => Reflect.get(stream, 'bytesRead') as number).toSorted((one, other) => one - other),
    ).toEqual([0, large.length])
  })

  test('works without the last slash, and for 20 at once', async () => {
    const link = reach(largeLink).replace('/file/?', '/file?')
    const bodies = await Promise.all(Array.from({ length: 20 }, async () => (await fetch(link)).arrayBuffer()))
    expect(bodies.filter((body) => large.equals(Buffer.from(body)))).toHaveLength(20)
    await allClosed(20)
  })

  test('has a name in two forms where ASCII does not hold it', async () => {
    const link = await exportOf(3, small, { fileName: 'teklif “7”.csv' })
    const answer = await fetch(reach(link))
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="teklif _7_.csv"; filename*=UTF-8''teklif%20%E2%80%9C7%E2%80%9D.csv`,
    )
    await answer.arrayBuffer()
  })
})

describe('what is no link of ours', () => {
  const { pathname, searchParams } = new URL(smallLink, 'http://any')
  const expires = searchParams.get('expires') ?? ''
  const signature = searchParams.get('signature') ?? ''
  const other = new URL(largeLink, 'http://any').searchParams.get('signature') ?? ''
  const altered: readonly (readonly [string, string])[] = [
    ['another export', `${pathname.replace('/2/', '/1/')}?expires=${expires}&signature=${signature}`],
    ['a later time', `${pathname}?expires=${Number(expires) + 1}&signature=${signature}`],
    ['the signature of another', `${pathname}?expires=${expires}&signature=${other}`],
    ['half a signature', `${pathname}?expires=${expires}&signature=${signature.slice(0, 20)}`],
    ['no signature', `${pathname}?expires=${expires}`],
    ['no time', `${pathname}?signature=${signature}`],
    ['nothing', pathname],
    ['no number', `${pathname.replace('/2/', '/two/')}?expires=${expires}&signature=${signature}`],
  ]

  test.each(altered)('%s: there is no such file, and nothing is looked for', async (_name, path) => {
    await noSuchFile(await fetch(address + path))
    expect((await fetch(address + path, { method: 'HEAD' })).status).toBe(404)
    expect(findFile).not.toHaveBeenCalled()
  })

  test('a link that has expired, and one whose export has', async () => {
    const link = await exportOf(4, small)
    const shorter = await exportOf(5, small, { expiresAt: new Date(clock.now().getTime() + 60_000) })
    clock.advance(60_000)
    await noSuchFile(await fetch(reach(shorter)))
    expect((await fetch(reach(link))).status).toBe(200)
    clock.advance(day - 60_001)
    expect((await fetch(reach(link))).status).toBe(200)
    clock.advance(1)
    await noSuchFile(await fetch(reach(link)))
    clock.advance(start - clock.now().getTime())
  })

  test('an export that is gone, and one whose file is, which the log tells', async () => {
    await noSuchFile(await fetch(reach(links.link(99, new Date(clock.now().getTime() + day)))))
    const link = await exportOf(6, small)
    await rm(join(directory, 'export-6-1.csv'))
    await noSuchFile(await fetch(reach(link)))
    expect(kept.linesOf('export.file_missing')).toMatchObject([{ export: 6, file: 'export-6-1.csv' }])
  })
})

describe('a client that goes away', () => {
  test('in the middle of a file', async () => {
    await Promise.all(Array.from({ length: 10 }, () => cutOff(reach(largeLink), 100_000)))
    expect(streams).toHaveLength(10)
    await allClosed(10)
  })

  test('before the file is opened', async () => {
    const asked = Promise.withResolvers<undefined>()
    const gone = Promise.withResolvers<undefined>()
    findFile.mockImplementationOnce(async (id) => {
      asked.resolve(undefined)
      await gone.promise
      return files.get(id)
    })
    const request = get(reach(largeLink)).on('error', () => undefined)
    await asked.promise
    request.destroy()
    await new Promise((resolve) => setTimeout(resolve, 50))
    gone.resolve(undefined)
    await eventually(() => expect(streams).toHaveLength(1))
    await allClosed(1)
  })
})

test('no log line has a signature, or the key', () => {
  expect(kept.linesOf('request.completed').length).toBeGreaterThan(30)
  for (const link of [smallLink, largeLink])
    expect(kept.text()).not.toContain(new URL(link, 'http://any').searchParams.get('signature'))
  expect(kept.text()).not.toContain('signature=')
  expect(kept.text()).not.toContain(secretKey)
})

/** So many bytes of a file or a few more, and then nothing: the connection is gone. */
const cutOff = async (link: string, bytes: number): Promise<[IncomingMessage, Buffer]> => {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(link, { agent: false }, resolve).on('error', reject)
  })
  const chunks: Buffer[] = []
  let count = 0
  for await (const chunk of response) {
    chunks.push(chunk as Buffer)
    count += (chunk as Buffer).length
    if (count >= bytes) break
  }
  response.destroy()
  return [response, Buffer.concat(chunks)]
}
