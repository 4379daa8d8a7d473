import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { mailPurposes } from '#platform/mail/mail-store.ts'
import { makeSupervisor } from '#platform/supervisor.ts'
import { eventually } from '#testing/eventually.ts'
import { makeFulfilment } from '#testing/data/make-fulfilment.ts'
import { makePeople } from '#testing/make-people.ts'
import { makeProjects } from '#testing/make-projects.ts'
import { makeQuotationWorld } from '#testing/make-quotations.ts'
import { makeTestApp } from '#testing/make-test-app.ts'
import { makeMailServer } from '#testing/network/mail-server.ts'
import { makeReceiver } from '#testing/receiver.ts'

// Real letters of every kind, to everybody who gets one; their links have to lead to a page that the console or the shop has.

const origin = 'https://waybill.example'
const mails = await makeMailServer()
// What answers so is switched off at once.
const gone = await makeReceiver({ status: 410 })
const environment = { SMTP_URL: `smtp://127.0.0.1:${mails.port}`, PUBLIC_URL: origin }
const app = await makeTestApp({ environment })
const { call, services } = app
const { owner, mainBuyer, staff, branch, ask, admin, mine, must } = await makeQuotationWorld(app)
const people = makePeople(app)
const supervisor = makeSupervisor(services, pino({ level: 'silent' }))
await supervisor.start()
afterAll(() => supervisor.stop())

interface Screen {
  readonly path: string
  readonly children?: readonly Screen[]
}
const pages = join(import.meta.dirname, '../../console/src')
const pathsOf = (screens: readonly Screen[], parent = ''): string[] =>
  screens.flatMap(({ path, children = [] }) => {
    const whole = parent === '' ? path : `${parent}/${path}`
    return [whole, ...pathsOf(children, whole)]
  })
/** The addresses of all pages, as their routers have them: what is not written in TypeScript alone is read as text. */
const addresses = async (): Promise<string[]> => {
  const { screens } = (await import(join(pages, 'shell/screens.ts'))) as { screens: readonly Screen[] }
  const [shell, shop] = ['shell', 'shop'].map((room) => readFileSync(join(pages, room, 'router.tsx'), 'utf8'))
  const open = [
    ...(shell ?? '').matchAll(/path: '(\/[^']*)', component/g),
    ...(shop ?? '').matchAll(/path: '(\/[^']*)'/g),
  ]
  const framed = [...(shop ?? '').matchAll(/screen\('(\/[^']*)'/g)].map(([, path]) => `/shop${path}`)
  return [...pathsOf(screens), ...open.map(([, path = '']) => path), ...framed]
}

const letterTo = (email: string, subject: RegExp) =>
  eventually(() => {
    const letter = mails.received.find((one) => one.recipients.includes(email) && subject.test(one.subject ?? ''))
    if (letter === undefined) throw new Error(`${email} has no letter about ${subject.source}.`)
    const [link = ''] = /https:\/\/waybill\.example\S*/.exec(letter.text ?? '') ?? []
    expect(letter.html).toContain(`href="${link}"`)
    return new URL(link)
  })
const emailOf = async (who: typeof staff): Promise<string> => (await must(who.call('GET', '/api/v1/auth/me/'))).email

const pagesOf = await addresses()
const leadsSomewhere = (link: URL): string => {
  const fits = (address: string) => new RegExp(`^${address.replaceAll(/\$\w+/g, '[^/]+')}$`).test(link.pathname)
  expect([link.href, pagesOf.filter(fits)]).not.toEqual([link.href, []])
  return link.pathname + link.hash.replace(/token=.+/, 'token=')
}

test('letters about quotations lead buyers into the shop and sellers into the console', async () => {
  const { id } = await ask(owner, branch)
  const [shop, office] = [`/shop/quotations/${id}`, `/quotations/${id}`]
  const [buyer, main, seller] = [await emailOf(owner), await emailOf(mainBuyer), app.superuser.email]
  expect(leadsSomewhere(await letterTo(main, /approv/i))).toBe(shop)
  await mine(mainBuyer, id, 'approve-pending-request')
  expect(leadsSomewhere(await letterTo(seller, /Spring order/))).toBe(office)
  const { id: assignee, email } = await must(staff.call('GET', '/api/v1/auth/me/'))
  await must(call('PATCH', `/api/v1/quotations/${id}/`, { assignee }))
  await must(owner.call('POST', `/api/v1/my-quotations/${id}/comments/`, { text: 'When?' }))
  expect(leadsSomewhere(await letterTo(email, /comment|answer/i))).toBe(office)
  await admin(id, 'send-approval-request')
  expect(leadsSomewhere(await letterTo(buyer, /Spring order/))).toBe(shop)
})

test('letters with a link for a password lead buyers into the shop, everybody else into the console', async () => {
  const [person, buyer] = [await people.person({ is_staff: true }), await people.person({ division: branch })]
  for (const { email } of [person, buyer])
    expect((await call('POST', '/api/v1/auth/password/reset/', { email })).statusCode).toBe(202)
  expect(leadsSomewhere(await letterTo(person.email, /password/))).toBe('/password/reset#token=')
  expect(leadsSomewhere(await letterTo(buyer.email, /password/))).toBe('/shop/password/reset#token=')
  const invited = await must(call('POST', '/api/v1/users/', { email: 'new@example.com', division: branch }))
  await must(call('POST', `/api/v1/users/${invited.id}/invite/`))
  expect(leadsSomewhere(await letterTo('new@example.com', /account/))).toBe('/shop/password/reset#token=')
})

test('letters about subscriptions that were switched off lead to where they are switched on', async () => {
  const hook = await must(
    call('POST', '/whisperer/hooks/', { target_url: gone.url, event_type: 'stock_location.created' }),
  )
  await makeFulfilment(app).location()
  expect(leadsSomewhere(await letterTo(app.superuser.email, new RegExp(`^Webhook ${hook.id} `)))).toBe(
    `/hooks/${hook.id}`,
  )

  const { projectUrl, headers, people: members } = await makeProjects(app)
  const fields = { name: 'CI', url: gone.url, events: ['deployment.build.created'] }
  const made = await call('POST', `${projectUrl}/settings/webhooks`, fields, headers.owner)
  const webhook = new URL(String(made.headers['location'])).pathname
  const build = { type: 'build', platform: 'android', environment: 'production' }
  await must(call('POST', `${projectUrl}/deployments`, build, headers.owner))
  expect(leadsSomewhere(await letterTo(members.owner.email, /CI/))).toBe(webhook.replace('/api/v1', ''))

  const flow = await must(call('POST', '/api/nifi/flows', { direction: 'outbound', target: gone.url }))
  await must(call('POST', `/api/nifi/flows/${flow.id}/data`, { sku: 'A' }))
  expect(leadsSomewhere(await letterTo(app.superuser.email, /Flow/))).toBe(`/flows/${flow.id}`)
})

test('there is no other kind of letter', async () => {
  const kept: readonly { purpose: string }[] = await must(call('GET', '/api/v1/mails/?limit=100'))
  expect([...new Set(kept.map(({ purpose }) => purpose))].toSorted()).toEqual([...mailPurposes].toSorted())
})
