/** A statement of the hot path, recognised by its text: the product has no hooks for tests. */
export type Statement = 'append' | 'commit' | 'claim' | 'finish'

/** Before a statement leaves the process, when its bytes are out and nothing has come back, when its answer is here. */
export type When = 'before' | 'out' | 'after'

/** A moment in the life of an event: around one of the statements, or within the exchange with the receiver. */
export type Moment =
  | { readonly statement: Exclude<Statement, 'append'>; readonly when: When }
  | { readonly exchange: 'sent' | 'answered' }

/** How many of a batch. */
export type Share = 'none' | 'some' | 'all' | 'none or all' | 'any'

/** Trouble at one moment, and what it may do. What it may never do is lose an event that was committed. */
export interface Step {
  readonly name: string
  readonly at: Moment
  /** SIGKILL of the process, or the loss of the connection that the statement runs on (PostgreSQL only). */
  readonly trouble: 'kill' | 'cut'
  /** Whether what was in flight may reach the receiver twice. */
  readonly mayRepeat: boolean
  /** How many of the events in trouble are stored in the end. */
  readonly stored: Share
  /** Of how many of their deliveries the log says `unknown`. */
  readonly unknown: Share
}

const committed = { trouble: 'kill', mayRepeat: false, unknown: 'none', stored: 'all' } as const
/** Deliveries that their insert leased are not known to be unsent. */
const leased = { ...committed, unknown: 'none or all' } as const
const atCommit = { ...leased, stored: 'none or all' } as const
const inFlight = { ...committed, mayRepeat: true, unknown: 'some' } as const

/** Every moment at which who holds the event changes, in the order in which they come. */
export const steps: readonly Step[] = [
  { ...committed, name: 'before the commit', at: { statement: 'commit', when: 'before' }, stored: 'none' },
  { ...atCommit, name: 'in the commit', at: { statement: 'commit', when: 'out' } },
  { ...atCommit, name: 'in the commit, connection cut', at: { statement: 'commit', when: 'out' }, trouble: 'cut' },
  { ...leased, name: 'after the commit, before the wake', at: { statement: 'commit', when: 'after' } },
  { ...committed, name: 'before the claim', at: { statement: 'claim', when: 'before' } },
  { ...committed, name: 'in the claim', at: { statement: 'claim', when: 'out' }, unknown: 'none or all' },
  {
    ...committed,
    name: 'in the claim, connection cut',
    at: { statement: 'claim', when: 'out' },
    trouble: 'cut',
    unknown: 'none or all',
  },
  { ...committed, name: 'after the claim, before sending', at: { statement: 'claim', when: 'after' }, unknown: 'all' },
  { ...inFlight, name: 'after sending, before the answer', at: { exchange: 'sent' } },
  { ...inFlight, name: 'after the answer', at: { exchange: 'answered' } },
  { ...inFlight, name: 'before the end is written', at: { statement: 'finish', when: 'before' } },
  { ...inFlight, name: 'while the end is written', at: { statement: 'finish', when: 'out' }, unknown: 'any' },
  {
    ...committed,
    name: 'while the end is written, connection cut',
    at: { statement: 'finish', when: 'out' },
    trouble: 'cut',
  },
  { ...committed, name: 'after the end is written', at: { statement: 'finish', when: 'after' } },
]
