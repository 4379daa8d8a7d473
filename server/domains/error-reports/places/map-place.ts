import { Type } from 'typebox'
import type { Tx } from '#platform/db/database.ts'
import { inSteps } from '#platform/db/transaction.ts'
import { invalidField } from '#platform/errors.ts'
import { Id, OneOf } from '#platform/http/schemas.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import { holdChannel } from '../channels/index.ts'
import { placeTypes, type OpenReports, type PlaceName } from '../open-reports.ts'
import { findMapping, insertMapping, isMapped, type PlaceMapping } from './store.ts'

export interface MapPlaceDeps extends Pick<SliceDeps, 'db' | 'clock'> {
  readonly jobs: Pick<Jobs, 'define'>
  readonly reports: OpenReports
  /** More open reports than these are resolved by a job. */
  readonly maxAtOnce?: number
  /** How many of them in one transaction: creations wait for it. */
  readonly step?: number
}

/** What a mapping did beside being there. */
export interface Mapped {
  readonly mapping: PlaceMapping
  /** Reports that it resolved. */
  readonly resolved: number
  /** Reports that a job resolves. */
  readonly remaining: number
}

/**
 * Makes what says what a place of a channel is here, and resolves the open reports that ask for it. Reports
 * of places wait for the channel's row meanwhile, so each either is resolved here or finds the mapping.
 */
export const makeMapPlace = ({ db, clock, jobs, reports, maxAtOnce = 5_000, step = 1_000 }: MapPlaceDeps) => {
  const resolveSome = (
    tx: Tx,
    place: PlaceName,
    by: number,
    range: { readonly upToId: number; readonly limit: number },
  ) => reports.resolve(tx, place, { how: 'mapped', by, at: clock.now() }, range)
  const resolving = jobs.define({
    name: 'place-mappings.resolve',
    data: Type.Object({
      mapping: Id,
      channel: Id,
      type: OneOf(placeTypes),
      remote_code: Type.String(),
      by: Id,
      up_to_id: Id,
    }),
    // A mapping that was removed resolves nothing more.
    handler: async ({ mapping, channel, type, remote_code: remoteCode, by, up_to_id: upToId }, { signal }) => {
      const place = { channelId: channel, placeType: type, remoteCode }
      await inSteps(db, signal, async (tx) => {
        if ((await findMapping(tx, mapping)) === undefined) return false
        return (await resolveSome(tx, place, by, { upToId, limit: step })) === step
      })
      return undefined
    },
  })

  const map = async (tx: Tx, fields: Omit<PlaceMapping, 'id' | 'createdAt'>): Promise<Mapped> => {
    const { channelId, placeType, remoteCode, createdBy: by } = fields
    if (!(await holdChannel(tx, channelId))) throw noChannel()
    const mapping = await insertMapping(tx, { ...fields, createdAt: clock.now() })
    if (mapping === undefined) throw mappedAlready()
    const place = { channelId, placeType, remoteCode }
    const { count, newestId: upToId } = await reports.count(tx, place)
    if (count > maxAtOnce) {
      const data = { mapping: mapping.id, channel: channelId, type: placeType, remote_code: remoteCode, by }
      await resolving.enqueue(tx, { ...data, up_to_id: upToId })
      return { mapping, resolved: 0, remaining: count }
    }
    const resolved = count === 0 ? 0 : await resolveSome(tx, place, by, { upToId, limit: maxAtOnce })
    return { mapping, resolved, remaining: 0 }
  }

  return {
    map,
    /** How many open reports `map` would resolve, and the newest of them. Throws what it would throw. */
    async preview(tx: Tx, { channelId, placeType, remoteCode }: PlaceName, sampleSize: number) {
      const place = { channelId, placeType, remoteCode }
      if (!(await holdChannel(tx, channelId))) throw noChannel()
      if (await isMapped(tx, place)) throw mappedAlready()
      const { count } = await reports.count(tx, place)
      return { count, sample: await reports.sample(tx, place, sampleSize) }
    },
  }
}

const noChannel = () => invalidField('channel', 'There is no such channel.')
const mappedAlready = () => invalidField('remote_code', 'This place of the channel is mapped already.')
