import type { LightMyRequestResponse } from 'fastify'
import type { TestApp } from './make-test-app.ts'

export interface TestPerson {
  readonly id: number
  readonly email: string
  readonly password: string
}

let made = 0

/** Makes people through the API, and logs them in. Each test can have its own, so they do not share a throttle. */
export const makePeople = ({ app, call }: Pick<TestApp, 'app' | 'call'>) => {
  const login = (username: string, password: string, remoteAddress = '127.0.0.1'): Promise<LightMyRequestResponse> =>
    app.inject({ method: 'POST', url: '/api/v1/auth/login/', payload: { username, password }, remoteAddress })

  return {
    /** A person with the given wire fields; by default a plain user. */
    async person(fields: Readonly<Record<string, unknown>> = {}): Promise<TestPerson> {
      made += 1
      const body = { email: `person-${made}@example.com`, password: 'battery staple', ...fields }
      const answer = await call('POST', '/api/v1/users/', body)
      if (answer.statusCode !== 201) throw new Error(`No user was made: ${answer.body}`)
      return { ...body, id: answer.json<{ id: number }>().id }
    },
    login,
    /** `authorization` header of a new login. */
    async authorization({
      email,
      password,
    }: Pick<TestPerson, 'email' | 'password'>): Promise<{ authorization: string }> {
      const answer = await login(email, password)
      if (answer.statusCode !== 200) throw new Error(`${email} could not log in: ${answer.body}`)
      return { authorization: `Token ${answer.json<{ key: string }>().key}` }
    },
  }
}
