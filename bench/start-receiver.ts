import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { FromReceiver } from './receiver.ts'

export interface BenchReceiver {
  /** An address that answers at once (`hook`), also writes down when what came (`timed`), never answers, or drips. */
  url(behaviour: 'hook' | 'timed' | 'hang' | 'drip', number?: number): string
  /** Requests answered and processor time taken so far, and what came to `timed` addresses since this was last asked. */
  look(): Promise<Exclude<FromReceiver, { readonly port: number }>>
  stop(): void
}

/** Starts a receiver in a process of its own. */
export const startReceiver = async (): Promise<BenchReceiver> => {
  const child = fork(fileURLToPath(new URL('receiver.ts', import.meta.url)), { execArgv: [] })
  const next = async (): Promise<FromReceiver> => {
    const [message] = (await once(child, 'message')) as [FromReceiver]
    return message
  }
  const first = await next()
  if (!('port' in first)) throw new Error('The receiver did not say where it is.')
  return {
    url: (behaviour, number = 0) => `http://127.0.0.1:${first.port}/${behaviour}/${number}`,
    async look() {
      child.send('look')
      const seen = await next()
      if ('port' in seen) throw new Error('The receiver said nothing of what it got.')
      return seen
    },
    stop: () => {
      child.disconnect()
    },
  }
}
