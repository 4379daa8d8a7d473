import type { TFunction } from 'i18next'
import type { Schema } from '#api/types.ts'
import type { Outcome } from '#ui/status.tsx'
import { formatBytes, formatDuration, formatNumber } from '#ui/texts/format.ts'

export type System = Schema<'System'>
export type PartName = Exclude<keyof System, 'state' | 'version' | 'role' | 'engine' | 'uptime_seconds'>
export type State = System['state']

export const outcomes: Record<State, Outcome> = { ok: 'ok', warn: 'wait', bad: 'bad' }

/** Every part, in the order in which somebody who was woken asks for it. */
export const partNames = [
  'deliveries',
  'subscriptions',
  'invariants',
  'readiness',
  'database',
  'migrations',
  'jobs',
  'processes',
  'disk',
  'mail',
  'history',
] as const satisfies readonly PartName[]

/** Where something can be done about a part. */
export const linksOf = (name: PartName, { subscriptions, deliveries }: System): readonly PartLink[] => {
  if (name === 'deliveries') return [['deliveries', '/deliveries']]
  if (name === 'mail') return [['mail', '/mails?status=failed&status=kept']]
  if (name !== 'subscriptions') return []
  const all: readonly (readonly [...PartLink, count: number])[] = [
    ['switched_off', '/subscriptions?health=disabled', subscriptions.switched_off],
    ['failing', '/subscriptions?health=failing', subscriptions.failing],
    ['held', '/deliveries?status=held', deliveries.held],
  ]
  return all.flatMap(([key, path, count]) => (count > 0 ? [[key, path] as const] : []))
}

/** The key of its text, and where it leads. */
type PartLink = readonly [name: string, path: string]

/** A figure of a part: the key of its name, and what it is. */
export type Figure = readonly [name: string, value: string]

const seconds = (value: number): string => formatDuration(value * 1_000)

type Figures = (system: System, t: TFunction<'system'>) => readonly Figure[]

/** The figures behind the judgement of each part. */
export const figures: Readonly<Record<PartName, Figures>> = {
  deliveries: ({ deliveries: part }) => [
    ['due', formatNumber(part.due)],
    ['oldest_due', seconds(part.oldest_due_seconds)],
    ['in_flight', formatNumber(part.in_flight)],
    ['pending', formatNumber(part.pending)],
    ['waiting', formatNumber(part.waiting)],
    ['held', formatNumber(part.held)],
  ],
  subscriptions: ({ subscriptions: part, deliveries }) => [
    ['active', formatNumber(part.active)],
    ['failing', formatNumber(part.failing)],
    ['switched_off', formatNumber(part.switched_off)],
    ['held', formatNumber(deliveries.held)],
  ],
  invariants: ({ invariants: part }) => [['lost', formatNumber(part.lost)]],
  readiness: () => [],
  database: ({ database: part }) => [
    ['version', part.version],
    ['size', formatBytes(part.size_bytes)],
    ['latency', formatDuration(part.latency_ms)],
    ['connections', formatNumber(part.connections)],
    ['idle', formatNumber(part.idle)],
    ['queued', formatNumber(part.waiting)],
  ],
  migrations: ({ migrations: part }) => [
    ['applied', formatNumber(part.applied)],
    ['expected', formatNumber(part.expected)],
  ],
  jobs: ({ jobs: part }) => [
    ['job_waiting', formatNumber(sum(part.queues, 'waiting'))],
    ['job_active', formatNumber(sum(part.queues, 'active'))],
    ['job_failed', formatNumber(sum(part.queues, 'failed'))],
  ],
  processes: ({ processes: part }) => [
    ['seen', formatNumber(part.seen.length)],
    ['working', formatNumber(part.seen.filter(({ works }) => works).length)],
  ],
  disk: ({ disk: part }) => [
    ['free', formatBytes(part.free_bytes)],
    ['total', formatBytes(part.total_bytes)],
  ],
  mail: ({ mail: part }, t) => [
    ['server', t(part.is_configured ? 'mail_server' : 'no_mail_server')],
    ['mail_waiting', formatNumber(part.waiting)],
    ['mail_failed', formatNumber(part.failed)],
    ['mail_kept', formatNumber(part.kept)],
  ],
  history: ({ history: part }) => [
    ['event_days', formatNumber(part.event_days)],
    ['attempt_days', formatNumber(part.attempt_days)],
  ],
}

const sum = (queues: System['jobs']['queues'], name: 'waiting' | 'active' | 'failed'): number =>
  queues.reduce((total, queue) => total + queue[name], 0)
