import { describe, expect, test } from 'vitest'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeProjects } from '#testing/make-projects.ts'
import { makeReleases } from '#testing/data/make-releases.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const clock = makeFakeClock()
const testApp = await makeTestApp({ clock })
const projects = await makeProjects(testApp)
const { callAs, projectUrl, organizationUrl } = projects
const { deployment, distribution } = makeReleases(testApp, projects)

/** A row of either list, as a client reads it. */
type Row = ReturnType<typeof JSON.parse>

// Some of everything, several in the same millisecond; an hour passes before the last. One in another project.
const report = (kind: string, id: string, status: string) =>
  callAs('developer', `PATCH ${projectUrl}/${kind}/${id}`, { status })
const first = await deployment()
const ios = await deployment({ type: 'codePush', platform: 'ios', environment: 'staging' })
await report('deployments', (await deployment({ platform: 'huawei' }))._id, 'failed')
await deployment()
const toStore = await distribution({ deployment: first._id, target: 'googlePlay' })
await distribution({ deployment: first._id, environment: 'staging' })
await distribution({ deployment: ios._id, target: 'appleAppStore' })
await report('distributions', toStore._id, 'succeeded')
await distribution({}, `${organizationUrl}/projects/${await projects.makeProject()}`)
clock.advance(3_600_000)
const later = clock.now().toISOString()
await report('deployments', (await deployment({ type: 'codePush' }))._id, 'canceled')
await distribution({ deployment: ios._id, environment: 'production' })

/** What a filter leaves, said by a row as it is answered. */
type Filter = readonly [query: string, matches: (row: Row) => boolean]
const shared: readonly Filter[] = [
  [`createdAt__gte=${later}`, (row) => row.createdAt >= later],
  [`createdAt__lt=${later}`, (row) => row.createdAt < later],
  [`createdAt__gte=${later.slice(0, 19).replace('T', ' ')}`, (row) => row.createdAt >= later],
  ['platform=ios', (row) => row.platform === 'ios'],
  ['environment=staging', (row) => row.environment === 'staging'],
  ['environment=production&status=created', (row) => row.environment === 'production' && row.status === 'created'],
]
const badShared = ['createdAt__gte=yesterday', 'createdAt__lt=2026-02-31 00:00:00', 'platform=x', 'environment=x']

const lists = [
  {
    kind: 'deployments',
    filters: [
      ...shared,
      ['status=failed', (row: Row) => row.status === 'failed'],
      ['status=failed&status=canceled', (row: Row) => row.status !== 'created'],
      ['type=codePush', (row: Row) => row.type === 'codePush'],
      ['type=codePush&platform=ios', (row: Row) => row.type === 'codePush' && row.platform === 'ios'],
    ],
    bad: [...badShared, 'status=lost', 'status=failed&status=lost', 'type=Build'],
  },
  {
    kind: 'distributions',
    filters: [
      ...shared,
      ['status=succeeded', (row: Row) => row.status === 'succeeded'],
      ['target=testers', (row: Row) => row.target === 'testers'],
      [`deployment=${first._id}`, (row: Row) => row.deployment === first._id],
      [`deployment=${first._id.toUpperCase()}&target=googlePlay`, (row: Row) => row._id === toStore._id],
    ],
    bad: [...badShared, 'status=lost', 'target=x', 'deployment=1'],
  },
] as const satisfies readonly { kind: string; filters: readonly Filter[]; bad: readonly string[] }[]

const compare = (a: Row, b: Row): number => Number(a > b) - Number(a < b)
const sorted = (rows: readonly Row[], ordering: string): Row[] => {
  const field = ordering.replace('-', '')
  const ascending = rows.toSorted((a, b) => compare(a[field], b[field]) || compare(a._id, b._id))
  return ordering.startsWith('-') ? ascending.toReversed() : ascending
}

describe.each(lists)('GET $kind', ({ kind, filters, bad }) => {
  const url = `${projectUrl}/${kind}`
  const read = async (query = ''): Promise<readonly Row[]> => {
    const answer = await callAs('viewer', `GET ${url}?limit=1000&${query.replaceAll(' ', '%20')}`)
    expect([answer.statusCode, answer.headers['x-total-count']]).toEqual([200, String(answer.json().length)])
    return answer.json()
  }

  test('has every row of the project and no other, the newest first', async () => {
    const rows = await read()
    expect(rows.length).toBe(kind === 'deployments' ? 5 : 4)
    expect(rows).toEqual(sorted(rows, '-createdAt'))
    for (const row of rows) expect((await callAs('viewer', `GET ${url}/${row._id}`)).json()).toEqual(row)
  })

  test('leaves what its filters say, some rows and not others', async () => {
    const all = await read()
    for (const [query, matches] of filters) {
      const expected = all.filter(matches)
      expect([query, expected.length > 0 && expected.length < all.length]).toEqual([query, true])
      expect([query, await read(query)]).toEqual([query, expected])
    }
  })

  test('is ordered both ways by each field, equal rows by their id', async () => {
    const all = await read()
    for (const ordering of ['_id', '-_id', 'createdAt', '-createdAt']) {
      expect([ordering, await read(`ordering=${ordering}`)]).toEqual([ordering, sorted(all, ordering)])
    }
  })

  test('is the same read page by page along its links, with its filters', async () => {
    const expected = (await read()).filter((row) => row.createdAt < later)
    const found: Row[] = []
    let next: string | undefined = `${url}?limit=1&createdAt__lt=${later}`
    while (next !== undefined) {
      const answer = await callAs('viewer', `GET ${next}`)
      expect(answer.headers['x-total-count']).toBe(String(expected.length))
      found.push(...answer.json())
      next = /<[^>]*?(\/api\/[^>]*)>; rel="next"/.exec(String(answer.headers['link']))?.[1]
    }
    expect(found).toEqual(expected)
    const beyond = await callAs('viewer', `GET ${url}?page=1000`)
    expect([beyond.statusCode, beyond.json()]).toEqual([200, []])
  })

  test('refuses values that make no sense, by name', async () => {
    const paging = ['limit=0', 'limit=1001', 'limit=x', 'page=0', 'page=x', 'ordering=tag', 'ordering=_id,createdAt']
    for (const query of [...paging, ...bad]) {
      const answer = await callAs('viewer', `GET ${url}?${query.replaceAll(' ', '%20')}`)
      const fields = Object.keys(answer.json().validationError).map((field) => field.replace(/\..*/, ''))
      expect([query, answer.statusCode, fields]).toEqual([query, 400, [query.replace(/=.*/, '')]])
    }
  })
})

test('a deployment that nobody distributed, or that does not exist, has an empty list', async () => {
  const answer = await callAs('viewer', `GET ${projectUrl}/distributions?deployment=${'f'.repeat(24)}`)
  expect([answer.statusCode, answer.json(), answer.headers['x-total-count']]).toEqual([200, [], '0'])
})
