import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import S3rver from 's3rver'
import { afterAll } from 'vitest'
import type { S3Settings } from '#platform/storage/s3-client.ts'
import { makeTestDirectory } from './open-test-store.ts'

export interface S3Server {
  readonly settings: S3Settings
  /** Every request so far, as `METHOD path?query`. */
  readonly requests: readonly string[]
  /** Is asked about each request before it is answered: true when it has answered it itself. */
  onRequest: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Uploads in parts that were neither finished nor given up. */
  readonly openUploads: () => Promise<readonly string[]>
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
    openUploads: async () => (existsSync(uploads) ? readdir(uploads) : []),
  }

  class Server extends S3rver {
    override callback() {
      const answer = super.callback()
      return (request: IncomingMessage, response: ServerResponse): void => {
        const { method = '', url = '' } = request
        requests.push(`${method} ${url}`)
        if (started.onRequest(request, response)) return
        const uploadId = new URL(url, 'http://s3').searchParams.get('uploadId')
        if (method === 'DELETE' && uploadId !== null) void giveUp(join(uploads, uploadId), response)
        else answer(request, response)
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
  const { port } = await server.run()
  afterAll(async () => {
    server.httpServer.closeAllConnections()
    await server.close()
  })
  return Object.assign(started, { settings: { ...started.settings, endpoint: `http://127.0.0.1:${port}` } })
}

/** AbortMultipartUpload, which this server does not have. */
const giveUp = async (upload: string, response: ServerResponse): Promise<void> => {
  const isThere = existsSync(upload)
  await rm(upload, { recursive: true, force: true })
  response.writeHead(isThere ? 204 : 404).end()
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
