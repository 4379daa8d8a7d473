import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { chromium, type Page } from 'playwright-core'
import { startServer } from '#testing/processes/server-process.ts'
import { chromiumPath } from '../console/e2e/support/chromium.ts'
import { superuser } from '../server/demo/logins.ts'
import { largeQuotations } from './console-quotation.ts'
import { median, type Figure } from './figure.ts'
import { newDirectory } from './open-engine.ts'
import { scaled } from './scale.ts'
import { startReceiver } from './start-receiver.ts'

const lists = [
  '/deliveries',
  '/subscriptions',
  '/events',
  '/error_report_groups',
  '/error_reports',
  '/packages',
  '/shipments',
  '/transfers',
  '/quotations',
  '/orders',
  '/stock_locations/1',
]
const rows = 'main table:not(:has(caption)) tbody tr, main a[data-group], main li a'
const opens = 5
const eventsPerSecond = 200
const batchMs = 100
/** None of the demo company has such a number. */
const firstLead = 1_000_000

/** In the page. */
declare const requestAnimationFrame: (callback: (now: number) => void) => number

/** The console in Chromium, beside a server with the demo company: what a person waits for. */
export const consoleInBrowser = async (): Promise<Figure[]> => {
  const directory = await newDirectory()
  const place = directory.location.directory
  mkdirSync(join(place, 'data'))
  const server = await startServer({ DATA_DIR: join(place, 'data/demo'), LOG_LEVEL: 'warn' }, place, {
    args: ['--demo'],
  })
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const context = await browser.newContext({ baseURL: server.origin, viewport: { width: 1280, height: 800 } })
    const page = await context.newPage()
    const login = { username: superuser.email, password: superuser.password }
    const answer = await context.request.post('/api/v1/auth/session', { data: login })
    if (!answer.ok()) throw new Error(`The login was answered with ${answer.status()}.`)
    return [
      ...(await openLists(page)),
      ...(await largeQuotations(page, server.origin)),
      ...(await followTail(page, server.origin)),
    ]
  } finally {
    await browser.close()
    await server.stop()
    await directory.remove()
  }
}

/** From the address to the first rows, with the scripts in the browser's cache. */
const openLists = async (page: Page): Promise<Figure[]> => {
  await page.goto('/')
  const timeOf = async (path: string, shown: string): Promise<number> => {
    const times: number[] = []
    for (let open = 0; open < opens; open++) {
      const began = performance.now()
      await page.goto(path, { waitUntil: 'commit' })
      await page.locator(shown).first().waitFor()
      times.push(performance.now() - began)
    }
    return median(times)
  }
  const limit = await timeOf('/healthz', 'body')
  const figures: Figure[] = []
  for (const path of lists)
    figures.push({
      name: `${path} opened, until its first rows`,
      unit: 'ms',
      value: await timeOf(path, rows),
      limit,
      reach: '≤ 1,000 ms',
    })
  return figures
}

/** Frames drawn while the log follows deliveries as they end, beside those of the same screen while nothing happens. */
const followTail = async (page: Page, origin: string): Promise<Figure[]> => {
  const receiver = await startReceiver()
  const call = await logIn(origin)
  await call('/whisperer/hooks', { event_type: 'crm.lead.won', target_url: receiver.url('hook') })
  await page.goto('/deliveries')
  await page.locator(rows).first().waitFor()
  const seconds = scaled(10, 2)
  const idle = await framesOf(page, seconds)
  const ended = new AbortController()
  const sending = sendSteadily(call, ended.signal)
  // The tail has begun when the first of them are shown.
  await page.waitForTimeout(2_000)
  const busy = await framesOf(page, seconds)
  ended.abort()
  const perSecond = await sending
  receiver.stop()
  const during = `of the log while it follows ${eventsPerSecond} events a second`
  return [
    { name: `frames a second ${during}`, unit: '/s', value: busy.perSecond, limit: idle.perSecond, reach: '≥ 60' },
    { name: `frame that took longest, ${during}`, unit: 'ms', value: busy.longestMs, limit: idle.longestMs, reach: '' },
    { name: 'events taken meanwhile', unit: '/s', value: perSecond, limit: eventsPerSecond, reach: '' },
  ]
}

type Call = Awaited<ReturnType<typeof logIn>>

/** @returns how many events a second were taken until the signal. */
const sendSteadily = async (call: Call, signal: AbortSignal): Promise<number> => {
  const began = performance.now()
  let sent = 0
  while (!signal.aborted) {
    const events = Array.from({ length: (eventsPerSecond * batchMs) / 1_000 }, () => {
      const id = `L-${firstLead + ++sent}`
      return { id, type: 'crm.lead.won', data: { id, company: 'Tail', value: 1 } }
    })
    await call('/api/v1/events', events)
    const due = began + (sent / eventsPerSecond) * 1_000
    await setTimeout(Math.max(0, due - performance.now()))
  }
  return (sent * 1_000) / (performance.now() - began)
}

const logIn = async (origin: string) => {
  const post = async (path: string, body: unknown, authorization?: string): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) }
    const answer = await fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(body) })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`)
    return JSON.parse(text)
  }
  const login = { username: superuser.email, password: superuser.password }
  const { key } = (await post('/api/v1/auth/login', login)) as { key: string }
  return (path: string, body: unknown) => post(path, body, `Token ${key}`)
}

interface Frames {
  readonly perSecond: number
  readonly longestMs: number
}

const framesOf = (page: Page, seconds: number): Promise<Frames> =>
  page.evaluate(
    (ms) =>
      new Promise<Frames>((resolve) => {
        const began = performance.now()
        let [last, count, longestMs] = [began, 0, 0]
        const frame = (now: number): void => {
          longestMs = Math.max(longestMs, now - last)
          last = now
          count += 1
          if (now - began < ms) requestAnimationFrame(frame)
          else resolve({ perSecond: (count * 1_000) / (now - began), longestMs })
        }
        requestAnimationFrame(frame)
      }),
    seconds * 1_000,
  )
