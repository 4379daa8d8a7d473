import type { OutgoingHttpHeaders } from 'node:http'

/** What a receiver of the demo answers, and after how long. */
export interface Answer {
  readonly status: number
  readonly afterMs: number
  readonly headers: OutgoingHttpHeaders
  readonly body: string
}

const json = (status: number, body: object, afterMs: number, headers: OutgoingHttpHeaders = {}): Answer => ({
  status,
  afterMs,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

const busy = (retryAfterSeconds: number): Answer =>
  json(503, { error: 'The system is busy. Try again later.' }, 30, { 'retry-after': String(retryAfterSeconds) })

/** By the first segment of the path. */
const answers: Readonly<Record<string, (random: number) => Answer>> = {
  ok: (random) => json(200, { received: true }, 5 + 60 * random),
  sometimes: (random) => (random < 0.15 ? busy(20) : json(200, { received: true }, 20 + 100 * random)),
  down: () => json(503, { error: 'Scheduled maintenance' }, 15),
  gone: () => json(410, { error: 'This address is not used any more.' }, 10),
  // Longer than any delivery waits for an answer.
  slow: () => json(200, { received: true }, 60_000),
}

/** What is answered at a path. @param random a number in [0, 1). */
export const answerAt = (path: string, random: number): Answer => {
  const [, first = ''] = path.split('/')
  const made = Object.hasOwn(answers, first) ? answers[first] : undefined
  return made === undefined ? json(200, { received: true }, 5) : made(random)
}

/** What can be tried, for the page. */
export const paths: readonly (readonly [path: string, what: string])[] = [
  ['/ok', 'answers 200'],
  ['/sometimes', 'answers 503 now and then, and asks for 20 s'],
  ['/slow', 'answers too late'],
  ['/down', 'answers 503'],
  ['/gone', 'answers 410: the hook is switched off for good'],
]
