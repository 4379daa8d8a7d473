import type { PgBoss, Queue } from 'pg-boss'
import type { DefinedJob } from './defined-job.ts'

/** Where pg-boss puts a copy of each job that failed for good, so that every failure is reported, however it came about. */
export const failuresQueue = 'failures'

/**
 * A process that lives says so twice in this time about each job it runs. Together with how often workers look for
 * those that do not, this is how long a job waits whose process died: 30 to 50 s, and then for its next attempt.
 */
const heartbeatSeconds = 20
/** pg-boss deletes what has waited for longer than this without having run. Nothing of ours may get lost: ten years. */
const retentionSeconds = 10 * 365 * 86_400

type QueueSettings = Omit<Queue, 'name' | 'policy' | 'partition'>

const settingsOf = (job: DefinedJob): QueueSettings => ({
  retryLimit: job.attempts - 1,
  retryDelay: job.firstDelaySeconds,
  retryBackoff: true,
  retryDelayMax: job.longestDelaySeconds,
  expireInSeconds: job.timeoutSeconds,
  heartbeatSeconds,
  retentionSeconds,
  ...(job.reportsFailure ? { deadLetter: failuresQueue } : {}),
})

/**
 * Creates the queues of these jobs, changes those whose settings are others, and makes `boss` know all of them. In the
 * order given: a queue can only name one that exists as the place of its failures. Any number of processes may do this at once.
 */
export const ensureQueues = async (boss: PgBoss, jobs: readonly DefinedJob[]): Promise<void> => {
  const existing = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  for (const job of jobs) {
    const wanted = settingsOf(job)
    const found = existing.get(job.name)
    // `short`: of the jobs with one key, one may wait to be started.
    if (found === undefined) await boss.createQueue(job.name, { ...wanted, policy: 'short' })
    else if (!hasSettings(found, wanted)) await boss.updateQueue(job.name, wanted)
  }
  // pg-boss looks a queue up when it first needs it, on a connection of its own. Inside a transaction on the embedded
  // database, which has one connection, that would wait forever; so each is needed once here.
  await Promise.all(jobs.map(({ name }) => boss.findJobs(name, { id: noJob })))
}

const noJob = '00000000-0000-0000-0000-000000000000'

const hasSettings = (found: QueueSettings, wanted: QueueSettings): boolean =>
  Object.entries(wanted).every(([key, value]) => Reflect.get(found, key) === value)
