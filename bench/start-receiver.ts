import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface BenchReceiver {
  readonly url: string
  /** Requests answered so far. */
  count(): Promise<number>
  stop(): void
}

/** Starts the receiver in a process of its own, so that its work does not count as the sender's. */
export const startReceiver = async (): Promise<BenchReceiver> => {
  const child = fork(fileURLToPath(new URL('receiver.ts', import.meta.url)), { execArgv: [] })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    url: `http://127.0.0.1:${port}/hook`,
    async count() {
      child.send('count')
      const [{ count }] = (await once(child, 'message')) as [{ count: number }]
      return count
    },
    stop: () => {
      child.disconnect()
    },
  }
}
