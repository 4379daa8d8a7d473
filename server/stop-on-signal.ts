import type { Logger } from 'pino'

/** Ctrl-C reaches the process twice within milliseconds: from the terminal, and passed on by npm. */
const sameKeypressMs = 1_000
const parentCheckMs = 500

/**
 * Stops once on SIGTERM or SIGINT and exits with 0; a second signal exits at once (contract, section 10).
 * Also stops when npm, which started the process, was killed: it could not say so, and a server that
 * nobody sees would go on holding the data directory and the port.
 */
export const stopOnSignal = (stop: () => Promise<void>, log: Logger): void => {
  let stoppingSince: number | undefined
  // Whoever read this may be gone by now: Ctrl-C ends all of `npm start | tee log`.
  process.stdout.on('error', () => undefined)

  const onSignal = (signal: string): void => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > sameKeypressMs) process.exit(1)
      return
    }
    stoppingSince = performance.now()
    log.info({ signal }, 'server.stopping')
    say('Stopping: up to 10 s for what is in flight; Ctrl-C again ends at once.')
    void stop().then(
      () => {
        say('Waybill has stopped.')
        process.exit(0)
      },
      (error: unknown) => {
        log.error({ err: error }, 'server.stop_failed')
        process.exit(1)
      },
    )
  }

  process.on('SIGTERM', () => onSignal('SIGTERM'))
  process.on('SIGINT', () => onSignal('SIGINT'))
  if (process.env['npm_lifecycle_event'] !== undefined) watchParent(() => onSignal('parent ended'))
}

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const watchParent = (ended: () => void): void => {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    ended()
  }, parentCheckMs)
  timer.unref()
}
