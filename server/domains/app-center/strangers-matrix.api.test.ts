import { Readable } from 'node:stream'
import type { LightMyRequestResponse } from 'fastify'
import { describe, expect, test } from 'vitest'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makePeople } from '#testing/make-people.ts'
import { makeProjects } from '#testing/make-projects.ts'
import { makeTestApp } from '#testing/make-test-app.ts'
import {
  makePlaces,
  operationNames,
  operationRequests,
  parametersOf,
  requestFor,
  type OperationName,
  type Place,
} from '#testing/data/project-operations.ts'

// Answers that tell what is next tell it of now.
const testApp = await makeTestApp({ clock: makeFakeClock() })
const { app, call } = testApp
const { person, authorization } = makePeople(testApp)
const projects = await makeProjects(testApp)
const { headers, people } = projects
const makePlace = makePlaces(testApp, projects, { member: await person(), newcomer: await person() })
const place = await makePlace()
/** Of the same people, with the same things in it. */
const elsewhere = await makePlace()

type Headers = Readonly<Record<string, string>>
const send = (operation: OperationName, at: Place, who: Headers) =>
  app.inject({ ...requestFor(operation, at), headers: who })
/** Everything of an answer that its receiver can tell from another. */
const shownOf = ({
  statusCode,
  headers: { 'x-request-id': _requestId, date: _date, ...others },
  body,
}: LightMyRequestResponse) => ({
  statusCode,
  headers: others,
  body,
})

const unknownId = 'f'.repeat(24)
const noPermission = { apiError: ['You do not have permission to perform this action.'] }
const maybeUnknown = { apiError: ['You do not have permission, or there is no such organization or project.'] }
const notFound = { apiError: ['Not found.'] }
const isRead = (operation: OperationName): boolean => operationRequests[operation].route.startsWith('GET')
/** Operations whose path has the parameter. */
const having = (parameter: keyof Place) => operationNames.filter((name) => parametersOf(name).includes(parameter))

describe('an outsider', () => {
  test.each(operationNames)('cannot tell by %s what exists', async (operation) => {
    const usual = shownOf(await send(operation, place, headers.outsider))
    expect([usual.statusCode, JSON.parse(usual.body)]).toEqual([403, maybeUnknown])
    for (const parameter of parametersOf(operation)) {
      const unknown = parameter === 'userId' ? 999_999_999 : unknownId
      const malformed = parameter === 'organizationId' ? unknown : 'malformed'
      for (const id of [unknown, malformed]) {
        const answer = await send(operation, { ...place, [parameter]: id }, headers.outsider)
        expect({ parameter, id, ...shownOf(answer) }).toEqual({ parameter, id, ...usual })
      }
    }
  })

  test.each(operationNames.filter((name) => !isRead(name)))(
    'is refused by %s before the body is read',
    async (name) => {
      const { method, url } = requestFor(name, place)
      const type = { 'content-type': 'text/plain' }
      const answer = await app.inject({ method, url, payload: '{', headers: { ...headers.outsider, ...type } })
      expect([answer.statusCode, answer.json()]).toEqual([403, maybeUnknown])
    },
  )
})

describe('a project of another organization', () => {
  test.each(having('projectId'))('is unknown to %s: 403 for its own members, 404 for superusers', async (operation) => {
    for (const projectId of [elsewhere.projectId, unknownId]) {
      const mixed = { ...elsewhere, projectId, organizationId: place.organizationId }
      const answers = [await send(operation, mixed, headers.owner), await send(operation, mixed, headers.superuser)]
      expect(answers.map((answer) => [answer.statusCode, answer.json()])).toEqual([
        [403, maybeUnknown],
        [404, notFound],
      ])
    }
  })

  test.each(['webhookId', 'deliveryId', 'deploymentId', 'distributionId'] as const)(
    'shares no %s with this one',
    async (parameter) => {
      for (const operation of having(parameter)) {
        for (const id of [elsewhere[parameter], unknownId]) {
          const answer = await send(operation, { ...place, [parameter]: id }, headers.owner)
          expect([operation, answer.statusCode, answer.json()]).toEqual([operation, 404, notFound])
        }
      }
    },
  )
})

describe('an id', () => {
  const parameters = [
    'organizationId',
    'projectId',
    'webhookId',
    'deliveryId',
    'deploymentId',
    'distributionId',
  ] as const
  test.each(parameters)('%s that is malformed is 400 and named', async (parameter) => {
    for (const operation of having(parameter)) {
      for (const id of ['abc', 'g'.repeat(24), '0'.repeat(25), `${'0'.repeat(23)}%0A`]) {
        for (const who of [headers.owner, headers.superuser]) {
          const answer = await send(operation, { ...place, [parameter]: id }, who)
          const message = 'Expected an id of 24 hexadecimal characters.'
          expect([operation, answer.statusCode, answer.json()]).toEqual([
            operation,
            400,
            { validationError: { [parameter]: [message] } },
          ])
        }
      }
    }
  })

  test('that is malformed tells nobody without a credential', async () => {
    const answer = await app.inject({ url: '/api/v1/organizations/abc' })
    expect(answer.statusCode).toBe(401)
  })

  test('of a project is looked at after the rights of the caller', async () => {
    const answer = await send('updateProject', { ...place, projectId: 'abc' }, headers.viewer)
    expect([answer.statusCode, answer.json()]).toEqual([403, noPermission])
  })

  test.each(operationNames.filter(isRead))('in capitals names the same to %s', async (operation) => {
    const capitals = Object.fromEntries(Object.entries(place).map(([name, id]) => [name, String(id).toUpperCase()]))
    const answer = await send(operation, { ...place, ...capitals }, headers.owner)
    expect([answer.statusCode, answer.json()]).toEqual([200, (await send(operation, place, headers.owner)).json()])
  })
})

describe('a limited key', () => {
  const makeKey = async (who: Headers, scopes: readonly string[]): Promise<Headers> => {
    const made = await call('POST', '/api/v1/auth/api-keys/', { name: 'Key', scopes }, who)
    return { 'x-access-token': made.json<{ key: string }>().key }
  }
  // Whoever has the secret of a webhook can pass for this server, so reading it takes a scope that writes.
  const takesWrite = (operation: OperationName): boolean =>
    !isRead(operation) || operation === 'getProjectWebhookSecret'

  test.each(operationNames)('calls %s with the scope for it alone', async (operation) => {
    const none = await makeKey(headers.owner, ['hooks:write', 'order-management:write', 'quotations:write'])
    const read = await makeKey(headers.owner, ['projects:read'])
    const write = await makeKey(headers.owner, ['projects:write'])
    const at = await makePlace()
    const lacks = (scope: string) => [403, { apiError: [`This key lacks the scope ${scope}.`] }]
    const wanted = takesWrite(operation) ? 'projects:write' : 'projects:read'
    const [without, reading] = [await send(operation, at, none), await send(operation, at, read)]
    expect([without.statusCode, without.json()]).toEqual(lacks(wanted))
    expect([reading.statusCode, takesWrite(operation) && reading.json()]).toEqual(
      takesWrite(operation) ? lacks(wanted) : [200, false],
    )
    expect(Math.trunc((await send(operation, at, write)).statusCode / 100)).toBe(2)
  })

  test('has no more rights than its owner', async () => {
    const key = await makeKey(headers.viewer, ['projects:write'])
    for (const operation of operationNames.filter(takesWrite)) {
      expect([operation, (await send(operation, place, key)).statusCode]).toEqual([operation, 403])
    }
  })

  test('lists and makes organizations with the scope for it', async () => {
    const [none, read] = [
      await makeKey(headers.owner, ['hooks:write']),
      await makeKey(headers.owner, ['projects:read']),
    ]
    const url = '/api/v1/organizations'
    const statuses = [none, read].flatMap((key) => [
      app.inject({ url, headers: key }),
      app.inject({ method: 'POST', url, payload: { name: 'Made' }, headers: key }),
    ])
    expect((await Promise.all(statuses)).map(({ statusCode }) => statusCode)).toEqual([403, 403, 200, 403])
  })
})

describe('a credential', () => {
  test('is taken as a JWT and as a key, in either header', async () => {
    const { email: username, password } = people.owner
    const answer = await call('POST', '/api/v1/auth/token/', { username, password })
    const { access_token: jwt } = answer.json<{ access_token: string }>()
    const key = headers.owner.authorization.replace('Token ', '')
    const all: Headers[] = [{ authorization: `Bearer ${jwt}` }, { 'x-access-token': jwt }, { 'x-access-token': key }]
    for (const who of all) expect((await send('listProjectWebhooks', place, who)).statusCode).toBe(200)
  })

  test('for flows is none here', async () => {
    const { email, password } = people.owner
    const login = await app.inject({
      method: 'POST',
      url: '/api/nifi/login',
      payload: new URLSearchParams({ username: email, password }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(login.statusCode).toBe(200)
    for (const operation of operationNames) {
      for (const authorizationOf of [`Bearer ${login.body}`, login.body]) {
        const answer = await send(operation, place, { authorization: authorizationOf })
        expect([operation, answer.statusCode, answer.json()]).toEqual([
          operation,
          401,
          { apiError: ['Invalid token.'] },
        ])
      }
    }
  })
})

describe('somebody who', () => {
  const newOwner = async (at: Place) => {
    const owner = await person()
    await call('POST', `/api/v1/organizations/${at.organizationId}/members`, { email: owner.email, role: 'owner' })
    return { ...owner, headers: await authorization(owner) }
  }

  test('was removed is an outsider at once, whatever was theirs', async () => {
    const owner = await newOwner(place)
    expect((await send('getOrganization', place, owner.headers)).statusCode).toBe(200)
    await send('removeMember', { ...place, userId: owner.id }, headers.owner)
    for (const operation of operationNames) {
      const answer = await send(operation, place, owner.headers)
      expect([operation, answer.statusCode, answer.json()]).toEqual([operation, 403, maybeUnknown])
    }
  })

  test('was deactivated has no credential any more', async () => {
    const owner = await newOwner(place)
    expect((await send('getOrganization', place, owner.headers)).statusCode).toBe(200)
    await call('PATCH', `/api/v1/users/${owner.id}`, { is_active: false })
    for (const operation of operationNames) {
      const answer = await send(operation, place, owner.headers)
      expect([operation, answer.statusCode, answer.json()]).toEqual([operation, 401, { apiError: ['Invalid token.'] }])
    }
  })

  const withBody = operationNames.filter((name) => 'body' in operationRequests[name])
  test.each(withBody)('is removed while the body of %s is on its way writes nothing', async (operation) => {
    const at = await makePlace()
    const owner = await newOwner(at)
    const { method, url, payload } = requestFor(operation, at)
    // Asked for its first bytes, the body lets the removal happen first: the caller has been let in by then.
    const body = new Readable({
      async read() {
        await send('removeMember', { ...at, userId: owner.id }, headers.owner)
        this.push(JSON.stringify(payload))
        this.push(null)
      },
    })
    const type = { 'content-type': 'application/json' }
    const answer = await app.inject({ method, url, payload: body, headers: { ...owner.headers, ...type } })
    expect([answer.statusCode, answer.json()]).toEqual([403, maybeUnknown])
  })
})
