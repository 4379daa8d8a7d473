import http from 'node:http'
import https from 'node:https'
import { setTimeout as wait } from 'node:timers/promises'
import { Client, S3Error, type ClientOptions } from 'minio'

export interface S3Settings {
  readonly bucket: string
  /** `http(s)://host[:port]` */
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

type Transport = NonNullable<ClientOptions['transport']>
type OnResponse = (response: http.IncomingMessage) => void

/** Until an answer begins. How long its reader then takes for it is the reader's business. */
const answerWithinMs = 60_000

/** A client whose requests end with the signal. Making one costs nothing: the connections are shared. */
export const connect = (
  { endpoint, region, accessKeyId, secretAccessKey }: S3Settings,
  signal?: AbortSignal,
): Client => {
  const { protocol, hostname, port } = new URL(endpoint)
  const useSSL = protocol === 'https:'
  return new Client({
    endPoint: hostname.replace(/^\[(.*)\]$/, '$1'),
    ...(port === '' ? {} : { port: Number(port) }),
    useSSL,
    region,
    accessKey: accessKeyId,
    secretKey: secretAccessKey,
    transport: { request: requestWith(useSSL ? https : http, signal) as Transport['request'] },
    // Done below: the client's own way writes to the console, and tries one thing only.
    retryOptions: { disableRetry: true },
  })
}

const requestWith =
  (transport: typeof http | typeof https, signal: AbortSignal | undefined) =>
  (options: https.RequestOptions, onResponse: OnResponse): http.ClientRequest => {
    const limits = { timeout: answerWithinMs, ...(signal === undefined ? {} : { signal }) }
    const request = transport.request({ ...options, ...limits }, (response) => {
      request.setTimeout(0)
      onResponse(response)
      // The client throws these away unread, which would hold their connections.
      if (isOfServer(response.statusCode)) response.resume()
    })
    request.on('timeout', () => request.destroy(new Error(`No answer within ${answerWithinMs / 1000} s.`)))
    return request
  }

const isOfServer = (status = 0): boolean => status >= 500 || [408, 429, 499].includes(status)

const mostTries = 4
const firstPauseMs = 200

/** Tries again what may pass: a connection that broke, a server that is busy. Only for what may be done twice. */
export const withRetries = async <T>(run: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run()
    } catch (error) {
      if (attempt === mostTries || signal?.aborted === true || !mayPass(error)) throw error
      const pauseMs = firstPauseMs * 2 ** (attempt - 1) * (0.5 + Math.random())
      await wait(pauseMs, undefined, signal === undefined ? {} : { signal })
    }
  }
}

/** Whatever is no answer of S3 is a connection that broke, or a status that says nothing more. */
const mayPass = (error: unknown): boolean =>
  error instanceof S3Error ? ['InternalError', 'SlowDown', 'RequestTimeout'].includes(error.code ?? '') : true
