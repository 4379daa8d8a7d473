import { Writable } from 'node:stream'
import { pino, type Logger } from 'pino'

export interface LogLine {
  readonly level: number
  readonly msg: string
  readonly [fact: string]: unknown
}

export interface KeptLog {
  readonly log: Logger
  /** The lines with this message so far. */
  readonly linesOf: (message: string) => readonly LogLine[]
  /** Everything that was written, as text. */
  readonly text: () => string
}

/** A log that keeps what is written, for tests of what an operator gets to see. */
export const makeKeptLog = (): KeptLog => {
  const lines: string[] = []
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString())
      done()
    },
  })
  return {
    log: pino({ level: 'debug', base: null }, stream),
    linesOf: (message) => lines.map((line) => JSON.parse(line) as LogLine).filter((line) => line.msg === message),
    text: () => lines.join(''),
  }
}
