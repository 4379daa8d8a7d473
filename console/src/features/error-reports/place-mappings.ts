import { useTranslation } from 'react-i18next'
import { call, listOf, useSend } from '#api/queries.ts'
import type { Body, Query, Schema } from '#api/types.ts'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import { placeOf, type Place } from './place.ts'
import { offerUndo } from './undo.ts'

const path = '/api/v1/place_mappings'
const onePath = '/api/v1/place_mappings/{id}'
const reportsPath = '/api/v1/error_reports'
/** As many as one request reads, or reopens. */
const limit = 1_000

export type Mapping = Schema<'PlaceMapping'>
/** What a place is here. */
export type Meant = Pick<Mapping, 'local_name' | 'local_id'>

/** The mappings of a channel, of one sort of place, or of one place. */
export const mappingsOf = (query: Query<'get', typeof path>) => listOf(path, { query: { ...query, limit } })

/** What says what a place of a channel is: it is one at most. */
export const mappingOf = (channel: number, { type, code }: Place) =>
  listOf(path, { query: { channel, type, remote_code: code, limit: 1 } })

/** What a new mapping would close. @throws ApiError when the place is mapped by now */
export const previewOf = (body: Body<'post', typeof path>) => ({
  queryKey: [path, 'dry_run', body],
  queryFn: async () => (await call('post', path, { query: { dry_run: true }, body })) as Schema<'PlaceMappingPreview'>,
  gcTime: 0,
})

/** Makes, changes and removes mappings, each with its way back. */
export const useChangeMappings = () => {
  const { t } = useTranslation('error-reports')
  const make = useSend('post', path)
  const change = useSend('patch', onePath)
  const remove = useSend('delete', onePath)
  const reopen = useSend('post', '/api/v1/error_reports/reopen')
  const takeBack = async (mapping: Mapping): Promise<void> => {
    // First the mapping, so that no report that comes meanwhile is closed by it.
    await remove.mutateAsync({ path: { id: mapping.id } })
    const ids = await closedBy(mapping)
    for (let from = 0; from < ids.length; from += limit)
      await reopen.mutateAsync({ body: { ids: ids.slice(from, from + limit) } })
    toastDone(t('unmapped', { code: mapping.remote_code, count: ids.length }))
  }
  const run = (work: Promise<unknown>): void => void work.catch(toastFailed)
  return {
    isPending: make.isPending || change.isPending || remove.isPending,
    make: async (body: Schema<'NewPlaceMapping'>, from: string): Promise<void> => {
      const mapping = (await make.mutateAsync({ body })) as Schema<'NewPlaceMappingAnswer'>
      const count = mapping.resolved + mapping.remaining
      offerUndo(t('mapped', { from, to: mapping.local_name, count }), () => run(takeBack(mapping)))
    },
    change: async ({ id, local_name, local_id }: Mapping, meant: Meant, from: string): Promise<void> => {
      const send = (body: Meant) => change.mutateAsync({ path: { id }, body })
      await send(meant)
      offerUndo(t('remapped', { from, to: meant.local_name }), () =>
        run(send({ local_name, local_id }).then(() => toastDone(t('as_before')))),
      )
    },
    remove: async (mapping: Mapping): Promise<void> => {
      const { id, channel, type, remote_code, local_id, local_name } = mapping
      await remove.mutateAsync({ path: { id } })
      const again = { channel, type, remote_code, local_id, local_name }
      offerUndo(t('mapping_removed', { code: remote_code }), () =>
        run(make.mutateAsync({ body: again }).then(() => toastDone(t('as_before')))),
      )
    },
  }
}

/** Ids of the reports that a mapping closed. The API does not answer them, but says of each report how and when it was closed. */
const closedBy = async ({ channel, type, remote_code: code, created_date: since }: Mapping): Promise<number[]> => {
  const ids: number[] = []
  for (let page = 1; ; page += 1) {
    const query = { channel, action_content_type: type, is_ok: true, updated_date__gte: since, limit, page }
    const rows = (await call('get', reportsPath, { query })) as readonly Schema<'ErrorReport'>[]
    const closed = rows.filter((row) => row.resolved_how === 'mapped' && placeOf(row, type)?.code === code)
    ids.push(...closed.filter((row) => (row.resolved_date ?? '') >= since).map(({ id }) => id))
    if (rows.length < limit) return ids
  }
}
