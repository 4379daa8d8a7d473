// Loaded before a server (`--import`), in each of its threads: its idea of the time is as far off as a file says.
import { readFileSync } from 'node:fs'

const lookEveryMs = 10
const file = process.env['CHAOS_CLOCK_FILE'] ?? ''
const RealDate = Date
let aheadMs = 0

const look = (): void => {
  aheadMs = Number(readFileSync(file, 'utf8'))
}
look()
setInterval(look, lookEveryMs).unref()

class JumpingDate extends RealDate {
  constructor(...parts: readonly [] | ConstructorParameters<typeof Date>) {
    if (parts.length === 0) super(RealDate.now() + aheadMs)
    else super(...parts)
  }

  static override now(): number {
    return RealDate.now() + aheadMs
  }
}
globalThis.Date = JumpingDate as DateConstructor
