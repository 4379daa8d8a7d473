import { setImmediate as soon } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { makeUserQueue } from './user-queue.ts'

/** Work that is done when it is told to, and notes that it began. */
const makeWork = () => {
  const begun: string[] = []
  return {
    begun,
    work: (name: string) => {
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      const start = (): Promise<string> => {
        begun.push(name)
        return promise
      }
      return { start, end: () => resolve(name), fail: () => reject(new Error(name)) }
    },
  }
}

test('work for one comes in its order, also after what failed, and for another at once', async () => {
  const userQueue = makeUserQueue(10)
  const { begun, work } = makeWork()
  const [first, second, third, other] = [work('first'), work('second'), work('third'), work('other')]
  const answers = Promise.allSettled([first, second, third].map(({ start }) => userQueue(1, start)))
  const otherAnswer = userQueue(2, other.start)
  await soon()
  expect(begun).toEqual(['first', 'other'])
  first.end()
  await soon()
  expect(begun).toEqual(['first', 'other', 'second'])
  second.fail()
  await soon()
  expect(begun.at(-1)).toBe('third')
  third.end()
  other.end()
  expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await otherAnswer).toBe('other')
})

test('more than may wait is refused, until there is room again', async () => {
  const userQueue = makeUserQueue(2)
  const { begun, work } = makeWork()
  const works = ['a', 'b', 'c'].map(work)
  const answers = works.map(({ start }) => userQueue(1, start))
  await expect(userQueue(1, work('d').start)).rejects.toMatchObject({
    status: 429,
    details: { headers: { 'retry-after': '1', 'ratelimit-limit': '3' } },
  })
  works[0]?.end()
  await answers[0]
  const [last, tooMuch] = [work('e'), work('f')]
  const lastAnswer = userQueue(1, last.start)
  await expect(userQueue(1, tooMuch.start)).rejects.toMatchObject({ status: 429 })
  for (const { end } of [...works, last]) end()
  await Promise.all([...answers, lastAnswer])
  expect(begun).toEqual(['a', 'b', 'c', 'e'])
})
