import { existsSync } from 'node:fs'
import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import S3rver, { type Middleware } from '@20minutes/s3rver'
import { afterAll } from 'vitest'
import type { S3Settings } from '#platform/storage/object-store.ts'
import { makeTestDirectory } from '../open-test-store.ts'

export interface S3Server {
  readonly settings: S3Settings
  /** Every request so far, as `METHOD path?query`. */
  readonly requests: readonly string[]
  /** Is asked about each request before it is answered: true when it has answered it itself. */
  onRequest: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Uploads in parts that were neither finished nor given up. */
  readonly openUploads: () => Promise<readonly string[]>
  /** Makes an upload look as if it had begun some time ago. */
  readonly ageUpload: (id: string, ageMs: number) => Promise<void>
}

const bucket = 'waybill-exports'

/** A server on this machine that speaks as S3 does, over HTTP, with one empty bucket. */
export const startS3Server = async (): Promise<S3Server> => {
  const directory = await makeTestDirectory()
  const uploads = join(directory, bucket, '._S3rver_uploads')
  const requests: string[] = []
  const started: S3Server = {
    settings: { bucket, endpoint: '', region: 'us-east-1', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    requests,
    onRequest: () => false,
    openUploads: () => idsOf(uploads),
    ageUpload: async (id, ageMs) => {
      const begun = new Date(Date.now() - ageMs)
      await utimes(join(uploads, id, 'key'), begun, begun)
    },
  }

  class Server extends S3rver {
    override callback() {
      const answer = super.callback()
      return (request: IncomingMessage, response: ServerResponse): void => {
        const { method = '', url = '' } = request
        requests.push(`${method} ${url}`)
        if (!started.onRequest(request, response)) answer(request, response)
      }
    }
  }
  const server = new Server({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    vhostBuckets: false,
    configureBuckets: [{ name: bucket }],
  })
  writeOneByOne(server)
  server.middleware.splice(-1, 0, doWhatItCannot(uploads))
  const { port } = await server.run()
  afterAll(async () => {
    server.httpServer.closeAllConnections()
    await server.close()
  })
  return Object.assign(started, { settings: { ...started.settings, endpoint: `http://127.0.0.1:${port}` } })
}

const idsOf = async (uploads: string): Promise<string[]> => (existsSync(uploads) ? readdir(uploads) : [])

/**
 * ListMultipartUploads and AbortMultipartUpload, which this server refuses because it has not got them: after it has checked the
 * signature, of a bucket as clients make it.
 */
const doWhatItCannot =
  (uploads: string): Middleware =>
  async (context, next) => {
    // It reckons with the path of a bucket without the `/` that clients sign, unless the bucket were a host.
    if (context.path === `/${bucket}/`)
      Object.assign(context, { mountPath: '/', state: { ...context.state, vhost: true } })
    try {
      await next()
    } catch (error) {
      const { method, query } = context
      const code = String(Reflect.get(Object(error), 'code'))
      if (code === 'NotImplemented' && method === 'GET' && query['uploads'] !== undefined) {
        context.status = 200
        context.type = 'application/xml'
        context.body = await listOf(uploads, query['prefix'] ?? '')
      } else if (code === 'MethodNotAllowed' && method === 'DELETE' && query['uploadId'] !== undefined) {
        const upload = join(uploads, query['uploadId'])
        context.status = existsSync(upload) ? 204 : 404
        await rm(upload, { recursive: true, force: true })
      } else throw error
    }
  }

const listOf = async (uploads: string, prefix: string): Promise<string> => {
  const all = await Promise.all(
    (await idsOf(uploads)).map(async (id) => {
      const path = join(uploads, id, 'key')
      const [key, { mtime }] = await Promise.all([readFile(path, 'utf8'), stat(path)])
      return {
        key,
        text: `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${mtime.toISOString()}</Initiated></Upload>`,
      }
    }),
  )
  const found = all.filter(({ key }) => key.startsWith(prefix)).map(({ text }) => text)
  return `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${found.join('')}</ListMultipartUploadsResult>`
}

/** Of two that write one key at once S3 keeps one; this server would mix their bytes. */
const writeOneByOne = ({ store }: S3rver): void => {
  const write = store.putObject.bind(store)
  let last: Promise<unknown> = Promise.resolve()
  store.putObject = (object) => {
    const next = last.then(() => write(object))
    last = next.catch(() => undefined)
    return next
  }
}
