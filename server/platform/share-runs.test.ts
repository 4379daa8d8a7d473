import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { shareRuns } from './share-runs.ts'

/** Runs that end when the test says so, and what each of them was given. */
const makeRuns = ({ maxAtOnce = 100, maxSize = 100 } = {}) => {
  const runs: { readonly items: readonly string[]; readonly end: () => void; readonly fail: (error: Error) => void }[] =
    []
  const share = shareRuns<string, string>({
    run: (items) =>
      new Promise((resolve, reject) => {
        runs.push({ items, end: () => resolve(items.map((item) => `${item}!`)), fail: reject })
      }),
    keyOf: (item) => item.slice(0, 1),
    maxAtOnce,
    size: { of: (item) => item.length, max: maxSize },
    isFaultOfOne: (error) => error instanceof Error && error.message === 'one of them',
  })
  const nextRun = async (index: number) => {
    while (runs[index] === undefined) await new Promise(setImmediate)
    return runs[index]
  }
  return { share, nextRun }
}

test('calls that come while a run is under way share the next one, and each gets its own result', async () => {
  const { share, nextRun } = makeRuns()
  const first = share('a')
  const run = await nextRun(0)
  const others = [share('b'), share('c')]
  expect(run.items).toEqual(['a'])
  run.end()
  expect(await first).toBe('a!')
  const shared = await nextRun(1)
  expect(shared.items).toEqual(['b', 'c'])
  shared.end()
  expect(await Promise.all(others)).toEqual(['b!', 'c!'])
})

test('of two items with the same key the later one waits for the next run', async () => {
  const { share, nextRun } = makeRuns()
  const all = Promise.all([share('a1'), share('a2'), share('b')])
  const run = await nextRun(0)
  expect(run.items).toEqual(['a1', 'b'])
  run.end()
  const next = await nextRun(1)
  expect(next.items).toEqual(['a2'])
  next.end()
  expect(await all).toEqual(['a1!', 'a2!', 'b!'])
})

test('a run has no more items than it may', async () => {
  const { share, nextRun } = makeRuns({ maxAtOnce: 2 })
  const all = Promise.all(['a', 'b', 'c'].map((item) => share(item)))
  for (const [index, items] of [['a', 'b'], ['c']].entries()) {
    const run = await nextRun(index)
    expect(run.items).toEqual(items)
    run.end()
  }
  expect(await all).toEqual(['a!', 'b!', 'c!'])
})

test('a run has no more than fits in it, and one that is too large for any goes alone', async () => {
  const { share, nextRun } = makeRuns({ maxSize: 5 })
  const sent = ['aa', 'bbb', 'c', 'dddddddd', 'ee']
  const all = Promise.all(sent.map((item) => share(item)))
  for (const [index, items] of [['aa', 'bbb'], ['c', 'ee'], ['dddddddd']].entries()) {
    const run = await nextRun(index)
    expect(run.items).toEqual(items)
    run.end()
  }
  expect(await all).toEqual(sent.map((item) => `${item}!`))
})

test('an item that spoils its run fails alone', async () => {
  const { share, nextRun } = makeRuns()
  const all = Promise.allSettled(['a', 'b', 'c'].map((item) => share(item)))
  const shared = await nextRun(0)
  shared.fail(new Error('one of them'))
  for (const [index, item] of ['a', 'b', 'c'].entries()) {
    const run = await nextRun(index + 1)
    expect(run.items).toEqual([item])
    if (item === 'b') run.fail(new Error('one of them'))
    else run.end()
  }
  expect((await all).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('what is nobody’s fault fails the calls of the run, and the next run goes on', async () => {
  const { share, nextRun } = makeRuns()
  const failing = Promise.allSettled([share('a'), share('b')])
  const run = await nextRun(0)
  run.fail(new Error('the database is gone'))
  expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const later = share('c')
  const next = await nextRun(1)
  next.end()
  expect(await later).toBe('c!')
})

test('the next run begins before the calls of the one before it are answered', async () => {
  const happened: string[] = []
  const share = shareRuns<string, undefined>({
    run: async (items) => {
      // A connection is not there at once, but soon.
      await new Promise<void>((resolve) => process.nextTick(resolve))
      happened.push(`begins ${items.join(' ')}`)
      await nextTurn()
      return items.map(() => undefined)
    },
    maxAtOnce: 100,
    isFaultOfOne: () => true,
  })
  const call = (item: string): Promise<unknown> => share(item).then(() => happened.push(`answered ${item}`))
  const first = call('1')
  await nextTurn()
  // Without keys equal items share a run.
  await Promise.all([first, call('2'), call('2')])
  expect(happened).toEqual(['begins 1', 'begins 2 2', 'answered 1', 'answered 2', 'answered 2'])
})
