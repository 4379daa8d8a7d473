import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { DatabaseUnavailable } from '#platform/db/database-unavailable.ts'
import { makeBatchWriter } from './batch-writer.ts'

/** A writer whose batches end when the test says so. */
const makeWorld = (fails: (item: number) => Error | undefined = () => undefined) => {
  const batches: number[][] = []
  const gates: (() => void)[] = []
  const write = makeBatchWriter(async (items: readonly number[]) => {
    batches.push([...items])
    await new Promise<void>((resolve) => gates.push(resolve))
    for (const item of items) {
      const error = fails(item)
      if (error !== undefined) throw error
    }
    return items.map((item) => `wrote ${item}`)
  })
  const open = async (): Promise<void> => {
    for (let idle = 0; idle < 5; idle++) {
      await nextTurn()
      const gate = gates.shift()
      if (gate !== undefined) idle = 0
      gate?.()
    }
  }
  return { batches, write, open }
}

test('what comes while a batch is being written is the next batch', async () => {
  const { batches, write, open } = makeWorld()
  const first = [write(1), write(2)]
  await nextTurn()
  await nextTurn()
  const second = [write(3), write(4), write(5)]
  await open()
  expect(await Promise.all([...first, ...second])).toEqual([1, 2, 3, 4, 5].map((item) => `wrote ${item}`))
  expect(batches).toEqual([
    [1, 2],
    [3, 4, 5],
  ])
})

test('one that cannot be written fails alone', async () => {
  const { write, open } = makeWorld((item) => (item === 2 ? new Error('bad') : undefined))
  const outcomes = Promise.allSettled([write(1), write(2), write(3)])
  await open()
  expect(await outcomes).toMatchObject([
    { status: 'fulfilled', value: 'wrote 1' },
    { status: 'rejected' },
    { status: 'fulfilled', value: 'wrote 3' },
  ])
})

test('a database that is not there fails all of a batch, without asking it again for each', async () => {
  const { batches, write, open } = makeWorld(() => new DatabaseUnavailable('gone'))
  const outcomes = Promise.allSettled([write(1), write(2), write(3)])
  await open()
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(batches).toHaveLength(1)
})

test('many are written in batches of 250', async () => {
  const { batches, write, open } = makeWorld()
  const all = Array.from({ length: 600 }, (_, item) => write(item))
  await open()
  await Promise.all(all)
  expect(batches.map(({ length }) => length)).toEqual([250, 250, 100])
})

test('the next batch begins before the one before it is told of', async () => {
  const happened: string[] = []
  const write = makeBatchWriter(async (items: readonly number[]) => {
    // A connection is not there at once, but soon.
    await new Promise<void>((resolve) => process.nextTick(resolve))
    happened.push(`begins ${items.join(' ')}`)
    await nextTurn()
    return items.map(() => undefined)
  })
  const tell = (item: number): Promise<unknown> => write(item).then(() => happened.push(`told ${item}`))
  const first = tell(1)
  await nextTurn()
  await Promise.all([first, tell(2), tell(3)])
  expect(happened).toEqual(['begins 1', 'begins 2 3', 'told 1', 'told 2', 'told 3'])
})
