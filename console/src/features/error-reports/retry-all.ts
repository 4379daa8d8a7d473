import { useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { call } from '#api/queries.ts'
import type { Answer, Schema } from '#api/types.ts'

export const retryAllPath = '/api/v1/error_report_groups/{id}/retry_all'
type Would = Answer<'post', typeof retryAllPath>

/** How many reports of a group would be tried again. */
export const wouldRetry = (id: number) => ({
  queryKey: ['dry_run', retryAllPath, id],
  queryFn: () => call('post', retryAllPath, { path: { id }, query: { dry_run: true } }),
  gcTime: 0,
})

/** More than the server looks through at once: it says the total alone, and a job finds out the rest. */
export const isUncounted = ({ started, not_retryable: others, not_allowed: forbidden, total }: Would): boolean =>
  started + others + forbidden < total

/** Whether this server can try none of them again. */
export const isNone = (would: Would): boolean => would.started === 0 && !isUncounted(would)

/** Why the reports of a group cannot be tried again from here; undefined when some can. */
export const useWhyNoRetry = (
  { id, channel, open_count: open }: Schema<'ErrorReportGroup'>,
  t: TFunction<'error-reports'>,
): string | undefined => {
  // What a channel reports, only its reporter can try again: no need to ask.
  const { data } = useQuery({ ...wouldRetry(id), enabled: channel === null && open > 0 })
  if (open === 0) return t('off.no_open')
  if (channel !== null) return t('off.all_others')
  return data !== undefined && isNone(data) ? t('off.none_retryable') : undefined
}
