import { minuteMs } from '#platform/clock.ts'
import type { Section, SystemFacts } from './facts.ts'

export const states = ['ok', 'warn', 'bad'] as const
export type State = (typeof states)[number]

/** How a part is, what that means, and what to do about it. */
export interface Judgement {
  readonly state: State
  readonly text: string
}

const ok = (text: string): Judgement => ({ state: 'ok', text })
const warn = (text: string): Judgement => ({ state: 'warn', text })
const bad = (text: string): Judgement => ({ state: 'bad', text })

type Judge<S extends Section> = (facts: SystemFacts[S], all: SystemFacts, now: Date) => Judgement

const gigabyte = 1_000_000_000

const database: Judge<'database'> = ({ latencyMs, waiting }) => {
  const answers = `The database answers in ${Math.round(latencyMs)} ms.`
  if (latencyMs > 1_000) return bad(`${answers} That holds everything up: look at its load, its locks and its disk.`)
  if (latencyMs > 100) return warn(`${answers} That is slow: look at its load and its disk.`)
  if (waiting > 20)
    return warn(
      `${answers} ${waiting} statements of this process wait for a connection: it has more to do than it can.`,
    )
  return ok(answers)
}

const migrations: Judge<'migrations'> = ({ applied, expected }) =>
  applied === expected
    ? ok(`The database has all ${expected} migrations of this version.`)
    : bad(
        `The database has ${applied} migrations, this version has ${expected}. Restart every process: a start migrates.`,
      )

const readiness: Judge<'readiness'> = ({ reasons }) => {
  const all = Object.values(reasons)
  return all.length === 0 ? ok('This process can do its work.') : bad(all.join(' '))
}

const deliveries: Judge<'deliveries'> = ({ due, oldestDueSeconds: seconds }) => {
  if (seconds > 300)
    return bad(
      `A delivery that could go has been due for ${Math.round(seconds)} s. Nobody delivers, or far too slowly: see the processes and the log.`,
    )
  if (seconds > 60 || due >= 10_000)
    return warn(
      `${due} deliveries are due, the oldest for ${Math.round(seconds)} s. Start another process with --role worker if that goes on.`,
    )
  return ok(due === 0 ? 'Nothing is due.' : `${due} deliveries are due and go out in time.`)
}

const subscriptions: Judge<'subscriptions'> = ({ active, failing, switchedOff }, { deliveries: { held } }) => {
  const kept = held === 0 ? '' : ` Held deliveries: ${held >= 10_000 ? '10000 or more' : held}.`
  const fails = failing === 0 ? '' : ` Active and failing: ${failing}.`
  if (switchedOff > 0)
    return warn(
      `Subscriptions that the server has switched off, because their receivers failed: ${switchedOff}.${fails}${kept} ` +
        'See why, mend the receiver, and switch them on: what is held goes out then.',
    )
  if (failing > 0)
    return warn(
      `Subscriptions whose receiver fails: ${failing}.${kept} See why: after days of it they are switched off.`,
    )
  return ok(active === 0 ? `Nothing is subscribed.${kept}` : `No subscription fails.${kept}`)
}

const maxBehindMs = 30 * minuteMs

const invariants: Judge<'invariants'> = ({ lost, violations, checkedAt }, _, now) => {
  if (lost > 0)
    return bad(
      `${lost} deliveries were found missing and made again. That is a bug: run npm run doctor, and report it.`,
    )
  const [first] = violations
  if (first !== undefined)
    return bad(`Found what should never be: ${first.meaning}. Run npm run doctor, which says what is left to mend.`)
  if (now.getTime() - checkedAt.getTime() > maxBehindMs)
    return warn(
      'Events of the last half hour have not been checked. The checker runs in processes that deliver: see whether one does.',
    )
  return ok('Every event has its deliveries, and nothing contradicts anything.')
}

const jobs: Judge<'jobs'> = ({ queues }) => {
  const late = queues.filter(({ oldestSeconds }) => oldestSeconds > 600).map(({ queue }) => queue)
  if (late.length > 0)
    return bad(`Jobs have been waiting for more than ten minutes: ${late.join(', ')}. See whether a process works.`)
  const failed = queues.filter((one) => one.failed > 0).map(({ queue }) => queue)
  return failed.length > 0
    ? warn(`Jobs have failed for good lately: ${failed.join(', ')}. The log says why: job.failed.`)
    : ok('Background jobs run in time.')
}

const processes: Judge<'processes'> = ({ seen }, { engine, role }) => {
  if (engine === 'pglite') return ok('The embedded database has this process alone.')
  const working = seen.filter(({ works }) => works).length
  if (working > 0 || role !== 'api')
    return ok(`${seen.length} processes have been seen in the last 20 s; ${working} deliver.`)
  return bad('No process that delivers has been seen for 20 s. Start one: npm start -- --role worker.')
}

const history: Judge<'history'> = ({ eventDays, attemptDays, isOutside }) =>
  isOutside
    ? warn(
        'Rows lie outside of the weeks that were prepared. They are moved by themselves; if this stays, see the log: partitions.',
      )
    : ok(`Events are kept for ${eventDays} days, attempts for ${attemptDays}.`)

const mail: Judge<'mail'> = ({ isConfigured, failed, kept }) => {
  if (!isConfigured)
    return warn(`There is no SMTP_URL, so nobody gets e-mail; ${kept} messages are kept to be read here.`)
  return failed > 0
    ? warn(`${failed} messages of the last 30 days could not be sent. See why, and send them again.`)
    : ok('E-mail is sent.')
}

const disk: Judge<'disk'> = ({ freeBytes, totalBytes }) => {
  const share = totalBytes === 0 ? 1 : freeBytes / totalBytes
  const free = `${(freeBytes / gigabyte).toFixed(1)} GB (${Math.round(share * 100)} %) of the disk of the data folder are free.`
  if (freeBytes < gigabyte || share < 0.03) return bad(`${free} Make room now: without it nothing is written.`)
  return share < 0.1 ? warn(`${free} Make room before it is full.`) : ok(free)
}

/** How each part is. */
export const judgeSystem = (facts: SystemFacts, now: Date): Readonly<Record<Section, Judgement>> => ({
  database: database(facts.database, facts, now),
  migrations: migrations(facts.migrations, facts, now),
  readiness: readiness(facts.readiness, facts, now),
  deliveries: deliveries(facts.deliveries, facts, now),
  subscriptions: subscriptions(facts.subscriptions, facts, now),
  invariants: invariants(facts.invariants, facts, now),
  jobs: jobs(facts.jobs, facts, now),
  processes: processes(facts.processes, facts, now),
  history: history(facts.history, facts, now),
  mail: mail(facts.mail, facts, now),
  disk: disk(facts.disk, facts, now),
})

/** The worst of some states. */
export const worst = (all: readonly State[]): State =>
  states[Math.max(0, ...all.map((one) => states.indexOf(one)))] ?? 'ok'
