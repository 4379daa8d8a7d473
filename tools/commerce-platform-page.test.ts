import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { makeGuard } from '#delivery/outbound/guard/guard.ts'
import { makeSender } from '#delivery/outbound/sender.ts'
import { maxAttempts, nextAttempt } from '#domains/b2b/orders/failed-try.ts'
import { orderToJson, type PlatformOrder } from '#domains/b2b/orders/platform/commerce-platform.ts'
import { makeHttpPlatform } from '#domains/b2b/orders/platform/http-platform.ts'
import { systemClock } from '#platform/clock.ts'
import { freePort } from './free-port.ts'
import { codeBlocks, projectRoot, readDocument, tableOf } from './markdown.ts'

const page = readDocument('docs/commerce-platform.md')
const order: PlatformOrder = {
  number: 'Q-2026-000017-1',
  quotationNumber: 'Q-2026-000017',
  division: { id: 12, name: 'Branch Ankara', erpCode: 'ANK-1' },
  currency: 'EUR',
  amount: 123_450n,
  quantity: 3,
  items: [{ productRemoteId: 1001, sku: 'CHAIR-OAK', quantity: 3, amount: 123_450n }],
}

describe('the page about the commerce platform', () => {
  test('shows an order as it is sent', () => {
    const shown = codeBlocks(page).find(({ text }) => text.startsWith('{'))?.text ?? ''
    expect(JSON.parse(shown)).toEqual(JSON.parse(orderToJson(order)))
  })

  test('says how long an order waits after each try', () => {
    const start = new Date(0)
    const seconds = (attempts: number) => (nextAttempt(attempts, start)?.getTime() ?? 0) / 1_000
    const unit = { second: 1, minute: 60, hour: 3_600 }
    const rows = tableOf(page, 'After try', 'Waits')
    for (const [tries = '', wait = ''] of rows) {
      const [first = 0, last = first] = tries.split(' to ').map(Number)
      const [, count = '', name = 'hour'] = /^(\d+) (second|minute|hour)s?$/.exec(wait) ?? []
      for (const attempts of [first, last])
        expect(seconds(attempts)).toBe(Number(count) * unit[name as keyof typeof unit])
    }
    expect(rows.at(-1)?.[0]).toBe(`7 to ${maxAttempts - 1}`)
    expect(page).toContain(`${maxAttempts} times in all`)
    expect(nextAttempt(maxAttempts, start)).toBeNull()
  })
})

describe('the example platform', async () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const port = await freePort()
  const child = spawn(process.execPath, [join(projectRoot, 'docs/platform.mjs'), secret, String(port)])
  let printed = ''
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const sender = makeSender({ guard: makeGuard({ allowedNetworks: [], allowLoopback: true }) })
  const connect = (withSecret: string) =>
    makeHttpPlatform({
      clock: systemClock,
      send: sender.send,
      installationId: 'here',
      url: `http://127.0.0.1:${port}/`,
      secret: withSecret,
    })
  afterAll(async () => {
    child.kill()
    await sender.close()
  })
  await once(child.stdout, 'data')

  test('gives each order a number, and the same one when it comes again', async () => {
    const platform = connect(secret)
    expect(await platform.createOrder(order, '17-1-12-1')).toEqual({ number: 'S-1001' })
    expect(await platform.createOrder(order, '17-1-12-1')).toEqual({ number: 'S-1001' })
    expect(await platform.createOrder(order, '17-1-12-2')).toEqual({ number: 'S-1002' })
    expect(printed).toContain('Q-2026-000017-1: 3 units for 1234.50 EUR is S-1001, as before\n')
  })

  test('takes nothing from whoever has not the secret', async () => {
    const answer = await connect('another secret').createOrder(order, '17-1-12-3')
    expect(answer).toMatchObject({ error: { status: 401, body: 'The signature does not match.' } })
  })
})
