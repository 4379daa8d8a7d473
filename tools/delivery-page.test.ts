import { describe, expect, test } from 'vitest'
import { prepareReceiver, requestHeaders } from '#delivery/attempt/request-headers.ts'
import { defaultStrategies, retryDelayMs, type RetryChoice } from '#delivery/subscriber/retry.ts'
import type { Dialect } from '#delivery/subscriber/subscription.ts'
import { readConfig } from '#platform/config.ts'
import { readDocument, tableOf } from './markdown.ts'

const page = readDocument('docs/delivery.md')

/** Seconds before each retry when all attempts fail, without what is added at random. */
const waitsOf = (choice: RetryChoice): number[] =>
  Array.from(
    { length: readConfig({}).MAX_ATTEMPTS - 1 },
    (_, index) => retryDelayMs(defaultStrategies[choice], index + 1, () => 0) / 1_000,
  )

/** As the page writes it: minutes, from an hour on with hours before them. */
const inWords = (seconds: number): string => {
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** What a delivery carries when its receiver has a secret. */
const headersOf = (dialect: Dialect): string[] => {
  const receiver = prepareReceiver({
    id: 1,
    version: 1,
    scope: 'back-office',
    dialect,
    envelope: 'standard',
    url: 'https://receiver.test/',
    headers: null,
    secret: 'a secret',
    signature: 'v1',
    auth: null,
    retry: defaultStrategies.fixed,
    isActive: true,
  })
  const outgoing = {
    webhookId: 'id',
    eventType: 'package.created',
    sequence: 1,
    contentType: 'application/json',
    body: '{}',
  }
  return Object.keys(requestHeaders(receiver, outgoing, new Date(), 'Waybill/1'))
}

describe('the page about delivery', () => {
  test('lists the headers that every delivery carries', () => {
    const listed = tableOf(page, 'Header', 'Value').map(([name = '']) => name)
    expect(listed.toSorted()).toEqual(headersOf('standard').toSorted())
  })

  test('lists the headers that only hooks have', () => {
    const [, hooks = '', ...others] =
      tableOf(page, '', 'Hooks', 'Project webhooks', 'Flows').find(([what]) => what === 'Further headers') ?? []
    const everywhere = headersOf('standard')
    const further = headersOf('whisperer').filter((name) => !everywhere.includes(name))
    const listed = [...hooks.matchAll(/`([a-z-]+)` \(/g)].map(([, name]) => name)
    // The last one only where the subscription names a credential.
    expect(listed).toEqual([...further, 'authorization'])
    expect(others).toEqual(['', ''])
  })

  test('says how the retries of project webhooks and flows come', () => {
    const { base, factor, limit } = { factor: 1, limit: 0, ...defaultStrategies.exponential.kwargs }
    expect(page).toContain(`wait ${factor} · ${base}ⁿ seconds before retry n`)
    expect(page).toContain(`at most ${limit / 3_600} hours`)
    expect(page).toContain(`With ${readConfig({}).MAX_ATTEMPTS} attempts`)
    const [, , whole] = tableOf(page, 'Name', 'First waits', 'From the first to the last attempt').at(-1) ?? []
    expect(page).toContain(`the last one comes ${whole} after the first`)
    expect(readDocument('docs/flows.md')).toContain(
      `after ${readConfig({}).MAX_ATTEMPTS} attempts (\`MAX_ATTEMPTS\`), ${whole} after the first`,
    )
  })

  test('says what the bare names mean', () => {
    const rows = tableOf(page, 'choice', 'kwargs', 'Wait before retry n, in seconds', 'The bare name means')
    const { fixed, linear, exponential, random } = defaultStrategies
    expect(rows.map(([choice, , , meaning]) => [choice, meaning])).toEqual([
      ['fixed', `${fixed.kwargs.seconds}`],
      ['linear', `base ${linear.kwargs.base}, limit ${linear.kwargs.limit}`],
      [
        'exponential',
        `base ${exponential.kwargs.base}, factor ${exponential.kwargs.factor}, limit ${exponential.kwargs.limit}`,
      ],
      ['random', `${random.kwargs.min_value} to ${random.kwargs.max_value}`],
    ])
  })

  test.each(tableOf(page, 'Name', 'First waits', 'From the first to the last attempt'))(
    'says when the attempts of %s come',
    (choice, first, whole) => {
      const waits = waitsOf(choice as RetryChoice)
      expect(first).toBe(
        waits
          .slice(0, 5)
          .map((wait) => `${wait} s`)
          .join(', '),
      )
      expect(whole).toBe(inWords(waits.reduce((sum, wait) => sum + wait, 0)))
    },
  )
})
