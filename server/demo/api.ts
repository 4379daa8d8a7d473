import type { FastifyInstance, HTTPMethods } from 'fastify'
import type { Login } from './logins.ts'

/** A request of somebody, such as `POST /api/v1/products/`. @returns what is answered. @throws Error when it is refused. */
export type Call = <T = unknown>(methodAndUrl: string, body?: unknown, contentType?: string) => Promise<T>

/** What almost everything that is made answers. */
export interface Made {
  readonly id: number
}

/** Names the keys that a demo is made with, which are removed when it is done. */
export const makersKeyName = 'made the demo'

/**
 * The API of a server, from inside. It need not listen yet.
 * @returns a function that lets somebody in. They keep a key that never expires, because the clock of a demo goes to and fro.
 */
export const makeApi = (app: FastifyInstance) => {
  const callWith =
    (authorization: string | undefined): Call =>
    async <T>(methodAndUrl: string, body?: unknown, contentType = 'application/json'): Promise<T> => {
      const [method, url] = methodAndUrl.split(' ') as [HTTPMethods, string]
      const answer = await app.inject({
        method,
        url,
        headers: {
          ...(authorization !== undefined && { authorization }),
          ...(body !== undefined && { 'content-type': contentType }),
        },
        ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      if (answer.statusCode >= 300)
        throw new Error(`${methodAndUrl} was answered with ${answer.statusCode}: ${answer.body.slice(0, 500)}`)
      return (answer.body === '' ? undefined : JSON.parse(answer.body)) as T
    }
  return {
    as: async ({ email, password }: Login): Promise<Call> => {
      const { key } = await callWith(undefined)<{ key: string }>('POST /api/v1/auth/login', {
        username: email,
        password,
      })
      const call = callWith(`Token ${key}`)
      const lasting = await call<{ key: string }>('POST /api/v1/auth/api-keys', { name: makersKeyName })
      await call('POST /api/v1/auth/logout')
      return callWith(`Token ${lasting.key}`)
    },
  }
}

export type Api = ReturnType<typeof makeApi>
