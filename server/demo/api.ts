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

/** What the server refuses. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest'
  readonly status: number
  constructor(request: string, status: number, answer: string) {
    super(`${request} was answered with ${status}: ${answer.slice(0, 500)}`)
    this.status = status
  }
}

/** The API of a server, from inside. It need not listen yet. */
export const makeApi = (app: FastifyInstance) => {
  const callWith =
    (authorization?: string): Call =>
    async <T>(methodAndUrl: string, body?: unknown, contentType = 'application/json'): Promise<T> => {
      const [method, url] = methodAndUrl.split(' ') as [HTTPMethods, string]
      const headers = {
        ...(authorization !== undefined && { authorization }),
        ...(body !== undefined && { 'content-type': contentType }),
      }
      const payload = typeof body === 'string' ? body : JSON.stringify(body)
      const answer = await app.inject({ method, url, headers, ...(payload !== undefined && { payload }) })
      if (answer.statusCode >= 300) throw new RefusedRequest(methodAndUrl, answer.statusCode, answer.body)
      return (answer.body === '' ? undefined : JSON.parse(answer.body)) as T
    }
  const logIn = async ({ email, password }: Login): Promise<Call> => {
    const { key } = await callWith()<{ key: string }>('POST /api/v1/auth/login', { username: email, password })
    return callWith(`Token ${key}`)
  }
  return {
    /** Lets somebody in. */
    logIn,
    /** Lets somebody in with a key that never expires, because the clock of a demo goes to and fro. */
    as: async (login: Login): Promise<Call> => {
      const call = await logIn(login)
      const { key } = await call<{ key: string }>('POST /api/v1/auth/api-keys', { name: makersKeyName })
      await call('POST /api/v1/auth/logout')
      return callWith(`Token ${key}`)
    },
  }
}

export type Api = ReturnType<typeof makeApi>
