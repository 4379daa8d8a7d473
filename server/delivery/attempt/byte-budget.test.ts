import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ByteBudget } from './byte-budget.ts'

/** A budget, and the answers to those who asked, by name, in the order in which they came. */
const makeBudget = (waitMs = 60_000) => {
  const budget = new ByteBudget({ total: 100, share: 50, waitMs })
  const answers: string[] = []
  const ask = (name: string, sharer: number, bytes: number): Promise<void> =>
    budget.take(sharer, bytes).then((hasRoom) => void answers.push(hasRoom ? name : `not ${name}`))
  return { budget, answers, ask }
}

test('gives what there is, and then what is given back, to who came first', async () => {
  const { budget, answers, ask } = makeBudget()
  for (const [sharer, name] of ['a', 'b', 'c', 'd', 'e'].entries()) void ask(name, sharer, 40)
  await nextTurn()
  expect(answers).toEqual(['a', 'b'])
  budget.give(1, 40)
  await nextTurn()
  expect(answers).toEqual(['a', 'b', 'c'])
  budget.give(0, 40)
  budget.give(2, 40)
  await nextTurn()
  expect(answers).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('gives nobody more than a share, and lets the others by', async () => {
  const { budget, answers, ask } = makeBudget()
  for (const name of ['a1', 'a2', 'a3']) void ask(name, 1, 25)
  void ask('b', 2, 50)
  await nextTurn()
  expect(answers).toEqual(['a1', 'a2', 'b'])
  budget.give(1, 25)
  await nextTurn()
  expect(answers).toEqual(['a1', 'a2', 'b', 'a3'])
})

test('counts what is larger than a share as one, so that it gets through', async () => {
  const { budget, answers, ask } = makeBudget()
  void ask('large', 1, 1_000)
  void ask('other', 2, 50)
  void ask('third', 3, 1)
  await nextTurn()
  expect(answers).toEqual(['large', 'other'])
  budget.give(1, 1_000)
  await nextTurn()
  expect(answers).toEqual(['large', 'other', 'third'])
})

test('lets go who has waited long enough, and serves who waits behind', async () => {
  const { budget, answers, ask } = makeBudget(50)
  const first = [ask('a', 1, 50), ask('b', 2, 45)]
  await Promise.all(first)
  const late = ask('late', 3, 20)
  void ask('small', 4, 5)
  await late
  await nextTurn()
  expect(answers).toEqual(['a', 'b', 'not late', 'small'])
  budget.give(1, 50)
  await ask('again', 3, 20)
  expect(answers.at(-1)).toBe('again')
})
