import { describe, expect, test } from 'vitest'
import { prepareReceiver, requestHeaders } from '#delivery/attempt/request-headers.ts'
import { defaultStrategies, retryDelayMs, type RetryChoice } from '#delivery/attempt/retry.ts'
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

describe('the page about delivery', () => {
  test('lists the headers that a delivery carries', () => {
    const receiver = prepareReceiver({
      id: 1,
      version: 1,
      scope: 'back-office',
      dialect: 'whisperer',
      url: 'https://receiver.test/',
      headers: null,
      secret: 'a secret',
      signature: 'v1',
      auth: null,
      retry: defaultStrategies.fixed,
      isActive: true,
    })
    const outgoing = { webhookId: 'id', eventType: 'package.created', sequence: 1, body: '{}' }
    const sent = Object.keys(requestHeaders(receiver, outgoing, new Date(), 'Waybill/1'))
    const listed = tableOf(page, 'Header', 'Value').map(([name = '']) => name)
    // Only where the subscription names a credential.
    expect(listed.filter((name) => name !== 'authorization').toSorted()).toEqual(sent.toSorted())
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
