import { pino } from 'pino'
import { expect, test } from 'vitest'
import { makeSupervisor } from '#platform/supervisor.ts'
import { eventually } from '#testing/eventually.ts'
import { makePeople } from '#testing/make-people.ts'
import { makeProjects } from '#testing/make-projects.ts'
import { makeQuotationWorld } from '#testing/make-quotations.ts'
import { makeReceiver } from '#testing/receiver.ts'
import { makeTestApp } from '#testing/make-test-app.ts'
import { makeWatch, type WatchedStream } from '#testing/watch-stream.ts'

const testApp = await makeTestApp()
const { app, call, superuser, services } = testApp
const { person, authorization } = makePeople(testApp)
const watch = await makeWatch(app)
const log = pino({ level: 'silent' })

const ready = async (headers: Record<string, string>): Promise<WatchedStream> => {
  const stream = await watch({ headers })
  await eventually(() => expect(stream.messages.map(({ event }) => event)).toEqual(['ready']))
  return stream
}
const everything = (stream: WatchedStream): string[] =>
  [...new Set(stream.messages.map(({ event }) => event))].filter((event) => event !== 'ready').toSorted()
const root = { authorization: superuser.authorization }

test('a delivery is shown as it goes, to whose hook it is and to superusers', async () => {
  const receiver = await makeReceiver({ status: 500 })
  const [ayse, bora] = await Promise.all(
    [person({ is_staff: true }), person({ is_staff: true })].map(async (made) => authorization(await made)),
  )
  const streams = { ayse: await ready(ayse ?? root), bora: await ready(bora ?? root), root: await ready(root) }
  const hook = await call(
    'POST',
    '/whisperer/hooks/',
    { event_type: 'stock_location-created', target_url: receiver.url, secret_key: 'a secret' },
    ayse,
  )
  expect(hook.statusCode).toBe(201)
  const { id } = hook.json<{ id: number }>()
  const supervisor = makeSupervisor(services, log)
  await supervisor.start()
  await call('POST', '/api/v1/stock_locations/', { code: 'A-1', name: 'A', kind: 'warehouse' })
  await eventually(() =>
    expect(streams.ayse.items('delivery').at(-1)).toEqual({
      id: expect.any(Number),
      receiver: { kind: 'hook', id },
      event_type: 'stock_location.created',
      object_type: 'stocklocation',
      object_id: expect.any(String),
      status: 'pending',
      attempt: 1,
      http_status: 500,
      reason: expect.any(String),
      duration_ms: expect.any(Number),
      time: expect.stringMatching(/Z$/),
    }),
  )
  await eventually(() => expect(streams.root.items('delivery')).toEqual(streams.ayse.items('delivery')))
  await eventually(() =>
    expect(streams.ayse.items<{ receiver: object }>('subscription')[0]?.receiver).toEqual({ kind: 'hook', id }),
  )
  await eventually(() => expect(streams.bora.items('event')).toHaveLength(1))
  expect(everything(streams.bora)).toEqual(['event'])
  await supervisor.stop()
  for (const stream of Object.values(streams)) stream.cut()
})

test('buyers are told of their quotations, of those of the divisions below theirs, and of nothing else', async () => {
  const world = await makeQuotationWorld(testApp)
  const stranger = await world.buyer(await world.division())
  const headersOf = async ({ id }: { readonly id: number }) => {
    const { email } = (await call('GET', `/api/v1/users/${id}/`)).json<{ email: string }>()
    return authorization({ email, password: 'battery staple' })
  }
  const [owner, main, other] = [
    await ready(await headersOf(world.owner)),
    await ready(await headersOf(world.mainBuyer)),
    await ready(await headersOf(stranger)),
  ]
  const seller = await ready(await authorization(await person({ is_staff: true })))
  const quotation = await world.ask(world.owner, world.branch)
  await call('POST', '/api/v1/stock_locations/', { code: 'Q-1', name: 'Q', kind: 'warehouse' })
  await eventually(() => expect(seller.items('event')).toHaveLength(3))
  await eventually(() => expect([owner.items('event').length, main.items('event').length]).toEqual([2, 2]))
  expect(owner.items('event')[0]).toMatchObject({ type: 'quotation.created', object_id: String(quotation.id) })
  expect(main.items('event')).toEqual(owner.items('event'))
  await eventually(() => expect(owner.items('quotation')).toHaveLength(1))
  expect([everything(owner), everything(main), everything(other)]).toEqual([
    ['event', 'quotation'],
    ['event', 'quotation'],
    [],
  ])

  // An edit raises no event, and is told all the same.
  const told = (stream: WatchedStream) => stream.items('quotation').at(-1)
  const { id, version, revision } = quotation
  await world.mine(world.mainBuyer, id, 'approve-pending-request')
  await world.admin(id, 'set-as-draft')
  await world.must(call('PATCH', `/api/v1/quotations/${id}/`, { name: 'Another name' }))
  const edited = { id, status: 'draft', version: version + 3, revision }
  await eventually(() => expect([owner, main, seller].map(told)).toEqual([edited, edited, edited]))

  // What the back office says to itself is for nobody else.
  const comments = (stream: WatchedStream) =>
    stream.items<{ type: string }>('event').filter(({ type }) => type === 'quotation.commented').length
  for (const internal of [true, false])
    await world.must(call('POST', `/api/v1/quotations/${id}/comments/`, { text: 'Five per cent', internal }))
  await eventually(() => expect([seller, owner, main].map(comments)).toEqual([2, 1, 1]))

  await world.admin(id, 'approve')
  const [order] = (await call('GET', `/api/v1/quotations/${id}/orders/`)).json<{ id: number }[]>()
  const made = [{ id: order?.id, quotation: id, status: 'pending' }]
  await eventually(() =>
    expect([owner, main, seller].map((stream) => stream.items('order'))).toEqual([made, made, made]),
  )
  expect(everything(other)).toEqual([])
  for (const stream of [owner, main, other, seller]) stream.cut()
})

test('members are told of their projects, from when they are members', async () => {
  const projects = await makeProjects(testApp)
  const [viewer, outsider] = [await ready(projects.headers.viewer), await ready(projects.headers.outsider)]
  const build = () =>
    projects.callAs('developer', `POST ${projects.projectUrl}/deployments`, {
      type: 'build',
      environment: 'production',
      platform: 'ios',
    })
  const built = await build()
  expect([built.statusCode, built.body]).toEqual([201, expect.any(String)])
  await eventually(() =>
    expect(viewer.items('event')[0]).toMatchObject({ type: 'deployment.build.created', project: projects.projectId }),
  )
  expect(everything(outsider)).toEqual([])
  viewer.cut()
  outsider.cut()
})

test('a key that is limited to scopes gets what they read', async () => {
  const made = await call('POST', '/api/v1/auth/api-keys/', { name: 'mails', scopes: ['error-reports:read'] })
  const { key } = made.json<{ key: string }>()
  const [limited, whole] = [await ready({ authorization: `Token ${key}` }), await ready(root)]
  await call('POST', '/api/v1/stock_locations/', { code: 'K-1', name: 'K', kind: 'warehouse' })
  await eventually(() => expect(whole.items('event')).toHaveLength(1))
  expect(everything(limited)).toEqual([])
  limited.cut()
  whole.cut()
})

test('a stream ends soon after its login has, and after its user got other rights', async () => {
  const [leaving, demoted, staying] = [await person(), await person({ is_staff: true }), await person()]
  const leavingHeaders = await authorization(leaving)
  const ended = await ready(leavingHeaders)
  const changed = await ready(await authorization(demoted))
  const open = await ready(await authorization(staying))
  expect((await call('POST', '/api/v1/auth/logout/', {}, leavingHeaders)).statusCode).toBeLessThan(300)
  expect((await call('PATCH', `/api/v1/users/${demoted.id}/`, { is_staff: false })).statusCode).toBe(200)
  const began = performance.now()
  await eventually(() => expect([ended.isEnded(), changed.isEnded()]).toEqual([true, true]))
  expect(performance.now() - began).toBeLessThan(6_000)
  expect(open.isEnded()).toBe(false)
  const again = await watch({ headers: leavingHeaders })
  expect(again.status).toBe(401)
  open.cut()
})
