import { setImmediate as afterPoll } from 'node:timers/promises'
import pg from 'pg'
import type { Statement, When } from './steps.ts'

export interface Heard {
  readonly statement: Statement
  readonly when: When
  /** Rows of the answer; 0 before there is one. */
  readonly rows: number
  /** Breaks the connection that it runs on. */
  readonly cut: () => void
}

/** What only one statement of each kind says. */
const marks: readonly (readonly [RegExp, Statement])[] = [
  [/\binsert into events\b/, 'append'],
  [/\bclaimed as \(/, 'claim'],
  [/\bfinished as \(/, 'finish'],
  [/^commit$/, 'commit'],
]

type Query = (this: pg.Client, ...parameters: unknown[]) => unknown
/** How our clients are told of an answer. */
type Done = (error: Error | null, result: { readonly rows: readonly unknown[] }) => void

/**
 * From now on tells of every statement of the hot path in this process, whichever database it goes to:
 * both are spoken to through the same client. `listener` is called synchronously; of commits only for
 * those of transactions that raise events.
 */
export const watchStatements = (listener: (heard: Heard) => void): void => {
  const prototype = pg.Client.prototype as unknown as { query: Query }
  const { query } = prototype
  const raising = new WeakSet<pg.Client>()

  prototype.query = function watched(...parameters) {
    const statement = statementOf(parameters[0])
    if (statement === 'append') raising.add(this)
    if (statement === undefined || (statement === 'commit' && !raising.delete(this)))
      return Reflect.apply(query, this, parameters)
    const tell = (when: When, rows = 0): void => listener({ statement, when, rows, cut: () => cut(this) })
    const done = parameters.at(-1) as Done
    const answered: Done = (error, result) => {
      if (error === null) tell('after', result.rows.length)
      done(error, result)
    }
    tell('before')
    const asked = Reflect.apply(query, this, [...parameters.slice(0, -1), answered])
    void afterPoll().then(() => tell('out'))
    return asked
  }
}

const statementOf = (query: unknown): Statement | undefined => {
  const text = typeof query === 'string' ? query : (query as { text?: string } | undefined)?.text
  return text === undefined ? undefined : marks.find(([mark]) => mark.test(text))?.[1]
}

/** As a network does: neither side says goodbye. */
const cut = (client: pg.Client): void => {
  const { connection } = client as unknown as { connection: { stream: { destroy(error: Error): void } } }
  connection.stream.destroy(new Error('connection cut'))
}
