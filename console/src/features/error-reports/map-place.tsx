import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#api/api-error.ts'
import type { Schema } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { useShortcut } from '#ui/shortcuts.ts'
import { Skeleton } from '#ui/states.tsx'
import { Time } from '#ui/time.tsx'
import { toastFailed } from '#ui/toast.tsx'
import { MeantForm, type Draft } from './meant-form.tsx'
import type { Place } from './place.ts'
import { mappingOf, previewOf, useChangeMappings, type Mapping } from './place-mappings.ts'
import classes from './error-reports.module.css'

interface MapPlaceProps {
  readonly place: Place
  readonly channel: number
  /** What the channel is called. */
  readonly by: string
}

/** What a place of a channel is here: said once, then shown, to be changed or removed. */
export const MapPlace = ({ place, channel, by }: MapPlaceProps) => {
  const { t } = useTranslation('error-reports')
  const { data, error } = useQuery(mappingOf(channel, place))
  const [isChanging, setChanging] = useState(false)
  const mapping = data?.rows[0]
  const box = useRef<HTMLDivElement>(null)
  const isForm = mapping === undefined || isChanging
  useShortcut('m', 'error-reports:keys.map', () => {
    if (isForm) box.current?.querySelector<HTMLElement>('input, [role="group"]')?.focus()
    else setChanging(true)
  })
  if (error !== null) return <p className="text-bad">{error.message}</p>
  if (data === undefined) return <Skeleton lines={2} width="100%" />
  const end = (): void => {
    setChanging(false)
    // What had the focus is gone.
    box.current?.focus({ preventScroll: true })
  }
  return (
    <div ref={box} tabIndex={-1} className={classes['whyBody']}>
      {mapping === undefined ? (
        <>
          <p>{t(`place_why.${place.type}`, { name: place.name, channel: by })}</p>
          <p className="muted">{t('mends.place')}</p>
        </>
      ) : (
        <Holds mapping={mapping} place={place} by={by} change={isChanging ? undefined : () => setChanging(true)} />
      )}
      {isForm && (
        <SayPlace
          key={mapping?.id}
          place={place}
          channel={channel}
          mapping={mapping}
          cancel={isChanging ? end : undefined}
          done={end}
        />
      )}
    </div>
  )
}

interface SayPlaceProps extends Omit<MapPlaceProps, 'by'> {
  readonly mapping: Mapping | undefined
  readonly cancel: (() => void) | undefined
  readonly done: () => void
}

/** First which place is meant, then what that does. */
const SayPlace = ({ place, channel, mapping, cancel, done }: SayPlaceProps) => {
  const [draft, setDraft] = useState<Draft>()
  const [isReviewing, setReviewing] = useState(false)
  if (isReviewing && draft !== undefined)
    return (
      <Review
        place={place}
        channel={channel}
        mapping={mapping}
        draft={draft}
        back={() => setReviewing(false)}
        done={done}
      />
    )
  const check = (next: Draft): void => {
    setDraft(next)
    setReviewing(true)
  }
  return <MeantForm place={place} start={draft ?? mapping} before={mapping} check={check} cancel={cancel} />
}

interface HoldsProps extends Omit<MapPlaceProps, 'channel'> {
  readonly mapping: Mapping
  readonly change: (() => void) | undefined
}

/** The mapping that holds now. */
const Holds = ({ mapping, place, by, change }: HoldsProps) => {
  const { t } = useTranslation('error-reports')
  const { remove, isPending } = useChangeMappings()
  return (
    <>
      <p>
        {t(`place_means.${place.type}`, { channel: by, name: place.name, to: mapping.local_name })}{' '}
        {mapping.local_id !== null && <code>{mapping.local_id}</code>}{' '}
        <span className="muted">
          · <Time at={mapping.created_date} as="moment" />
        </span>
      </p>
      {change !== undefined && (
        <p className="flex wrap">
          <Action onClick={change} keyShortcut="m">
            {t('mapping.change')}
          </Action>
          <Action loading={isPending} onClick={() => void remove(mapping).catch(toastFailed)}>
            {t('mapping.remove')}
          </Action>
        </p>
      )}
    </>
  )
}

interface ReviewProps extends Omit<MapPlaceProps, 'by'> {
  readonly mapping: Mapping | undefined
  readonly draft: Draft
  readonly back: () => void
  readonly done: () => void
}

/** What will hold, and what it closes, before it is kept. Enter goes on from the field to here, not through it. */
const Review = ({ place, channel, mapping, draft, back, done }: ReviewProps) => {
  const { t } = useTranslation('error-reports')
  const { make, change, isPending } = useChangeMappings()
  const [isSent, setSent] = useState(false)
  const { isKnown, ...meant } = draft
  const body = { channel, type: place.type, remote_code: place.code, ...meant }
  const preview = useQuery<Schema<'PlaceMappingPreview'>, ApiError>({
    ...previewOf(body),
    // Once it is made, it cannot be made again.
    enabled: mapping === undefined && !isSent,
  })
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  const run = async (): Promise<void> => {
    setSent(true)
    try {
      await (mapping === undefined ? make(body, place.name) : change(mapping, meant, place.name))
      done()
    } catch (failed) {
      setSent(false)
      toastFailed(failed)
    }
  }
  const count = mapping === undefined ? preview.data?.count : 0
  return (
    <div ref={box} role="group" tabIndex={-1} aria-label={t('mapping.review')} className={classes['whyBody']}>
      <p>
        {t('mapping.will_mean', { from: place.name, to: meant.local_name })}{' '}
        {meant.local_id === null ? t('mapping.no_id') : t('mapping.with_id', { id: meant.local_id })}
      </p>
      {!isKnown && <p className="text-wait">{t('mapping.new_name', { name: meant.local_name })}</p>}
      {mapping !== undefined && <p className="muted">{t('mapping.closes_none')}</p>}
      {mapping === undefined && <WouldClose preview={preview.data} error={preview.error} />}
      <p className="flex wrap">
        <Action
          main
          loading={isPending}
          off={count === undefined ? t('off.counting') : undefined}
          onClick={() => void run()}
        >
          {mapping !== undefined
            ? t('mapping.keep')
            : t(isKnown ? 'map' : 'map_new', { count: count ?? 0, name: meant.local_name })}
        </Action>
        <Action onClick={back}>{t('mapping.back')}</Action>
      </p>
    </div>
  )
}

interface WouldCloseProps {
  readonly preview: Schema<'PlaceMappingPreview'> | undefined
  readonly error: ApiError | null
}

const WouldClose = ({ preview, error }: WouldCloseProps) => {
  const { t } = useTranslation('error-reports')
  if (error !== null) return <p className="text-bad">{error.message}</p>
  if (preview === undefined) return <Skeleton />
  return (
    <div>
      <p>{t('mapping.closes', { count: preview.count })}</p>
      <ul className="small muted">
        {preview.sample.map(({ id, created_date: at }) => (
          <li key={id}>
            {t('report_id', { id })} · <Time at={at} as="moment" />
          </li>
        ))}
      </ul>
    </div>
  )
}
