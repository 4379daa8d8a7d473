import { Autocomplete, NumberInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#api/api-error.ts'
import { call, listOf, useSend } from '#api/queries.ts'
import type { Answer, Schema } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import type { Place } from './place.ts'
import classes from './error-reports.module.css'

const path = '/api/v1/place_mappings'

interface MapPlaceProps {
  readonly place: Place
  readonly channel: number
}

/** Says once which place a channel means; all open reports of it are closed, and those that come later. */
export const MapPlace = ({ place, channel }: MapPlaceProps) => {
  const { t } = useTranslation('error-reports')
  const { data: known } = useQuery(listOf(path, { query: { type: place.type, limit: 1_000 } }))
  const [name, setName] = useState('')
  const [id, setId] = useState<number | string>('')
  const map = useSend('post', path)
  const body = {
    channel,
    type: place.type,
    remote_code: place.code,
    local_name: name.trim(),
    local_id: typeof id === 'number' ? id : null,
  }
  const { count, error } = useWouldClose({ ...body, local_name: place.name }, map.isIdle)
  const choose = (next: string): void => {
    setName(next)
    const same = known?.rows.find((one) => one.local_name === next)
    if (same?.local_id !== null && same?.local_id !== undefined) setId(same.local_id)
  }
  const run = async (): Promise<void> => {
    const { resolved, remaining } = (await map.mutateAsync({ body })) as Schema<'NewPlaceMappingAnswer'>
    toastDone(t('mapped', { from: place.name, to: body.local_name, count: resolved + remaining }))
  }
  if (error !== null) return <p className="text-bad">{error.message}</p>
  return (
    <form
      className={classes['mapping']}
      onSubmit={(event) => {
        event.preventDefault()
        void run().catch(toastFailed)
      }}
    >
      <span className="muted" style={{ lineHeight: 'var(--control)' }}>
        {place.name} {place.name !== place.code && <code>{place.code}</code>} →
      </span>
      <Autocomplete
        label={t(`place_is.${place.type}`)}
        data={[...new Set((known?.rows ?? []).map((one) => one.local_name))]}
        value={name}
        onChange={choose}
        maxLength={255}
        limit={20}
      />
      <NumberInput label={t('place_id')} value={id} onChange={setId} min={1} hideControls w={96} allowDecimal={false} />
      <Action type="submit" main off={name.trim() === '' ? t('off.no_place') : undefined} loading={map.isPending}>
        {t('map', { count: count ?? 0 })}
      </Action>
    </form>
  )
}

/**
 * How many open reports a mapping would close. The name that is mapped to makes no difference to that.
 * @param isOpen whether it is still to be made: a place that is mapped is refused
 */
const useWouldClose = (body: Schema<'NewPlaceMapping'>, isOpen: boolean) => {
  const { channel, type, remote_code: code } = body
  const { data, error } = useQuery<Answer<'post', typeof path>, ApiError>({
    queryKey: [path, 'dry_run', channel, type, code],
    queryFn: () => call('post', path, { query: { dry_run: true }, body }),
    enabled: isOpen,
  })
  return { count: data !== undefined && 'count' in data ? data.count : undefined, error }
}
