import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { LoadOrder, LoadResult } from './load-client.ts'

/** Has a client in a process of its own do what it is told. */
export const sendLoad = async (order: LoadOrder): Promise<LoadResult> => {
  const child = fork(fileURLToPath(new URL('load-client.ts', import.meta.url)), { execArgv: [] })
  const said = Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error('The client ended early.')
    }),
  ])
  child.send(order)
  const [result] = (await said) as [LoadResult]
  return result
}
