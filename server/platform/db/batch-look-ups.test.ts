import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { batchLookUps } from './batch-look-ups.ts'

afterEach(() => void vi.useRealTimers())

/** A look-up whose questions are answered when the test says so, from what there is when it says so. */
const makeWorld = (there: Map<string, number>) => {
  const questions: (readonly string[])[] = []
  const gates: ((error?: Error) => void)[] = []
  const lookUp = batchLookUps(async (keys) => {
    questions.push(keys)
    const found = new Map(keys.flatMap((key) => [...there].filter(([name]) => name === key)))
    await new Promise<void>((resolve, reject) => {
      gates.push((error) => (error === undefined ? resolve() : reject(error)))
    })
    return found
  })
  /** Answers the oldest question. */
  const answer = async (error?: Error): Promise<void> => {
    gates.shift()?.(error)
    await nextTurn()
  }
  return { questions, lookUp, answer }
}

test('calls that come together are one question, in which each key stands once', async () => {
  const { questions, lookUp, answer } = makeWorld(new Map([['a', 1]]))
  const all = Promise.all([lookUp('a'), lookUp('b'), lookUp('a')])
  await nextTurn()
  await answer()
  expect(await all).toEqual([1, undefined, 1])
  expect(questions).toEqual([['a', 'b']])
})

test('a call is answered by a question that was put after it, so it sees what is gone by then', async () => {
  const there = new Map([['a', 1]])
  const { questions, lookUp, answer } = makeWorld(there)
  const before = lookUp('a')
  await nextTurn()
  there.delete('a')
  const after = [lookUp('a'), lookUp('a')]
  await answer()
  expect(await before).toBe(1)
  await answer()
  expect(await Promise.all(after)).toEqual([undefined, undefined])
  expect(questions).toEqual([['a'], ['a']])
})

test('a question that fails fails its own calls alone', async () => {
  const { lookUp, answer } = makeWorld(new Map([['a', 1]]))
  const failing = Promise.allSettled([lookUp('a'), lookUp('b')])
  await nextTurn()
  const next = lookUp('a')
  await answer(new Error('gone'))
  expect(await failing).toMatchObject([
    { status: 'rejected', reason: { message: 'gone' } },
    { status: 'rejected', reason: { message: 'gone' } },
  ])
  await answer()
  expect(await next).toBe(1)
})

test('a question that is not answered for long holds up nobody else', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { questions, lookUp, answer } = makeWorld(new Map([['a', 1]]))
  const first = lookUp('a')
  await nextTurn()
  const second = lookUp('a')
  await vi.advanceTimersByTimeAsync(99)
  expect(questions).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(questions).toHaveLength(2)
  await answer()
  await answer()
  expect(await Promise.all([first, second])).toEqual([1, 1])
})
