import { Autocomplete, NumberInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Action } from '#ui/action.tsx'
import type { Place } from './place.ts'
import { mappingsOf, type Meant } from './place-mappings.ts'
import classes from './error-reports.module.css'

/** What somebody says that a place is, and whether a mapping says that name already. */
export interface Draft extends Meant {
  readonly isKnown: boolean
}

interface MeantFormProps {
  readonly place: Place
  /** What the fields begin with. */
  readonly start: Meant | undefined
  /** What holds until now. */
  readonly before: Meant | undefined
  readonly check: (draft: Draft) => void
  /** Leaves what holds as it is; somebody has asked for the fields then, and is led into them. */
  readonly cancel: (() => void) | undefined
}

/** Asks which place is meant; names that mappings of any channel know are offered, with their ids. */
export const MeantForm = ({ place, start, before, check, cancel }: MeantFormProps) => {
  const { t } = useTranslation('error-reports')
  const { draft, names, id, choose, setId } = useDraft(place, start)
  const field = useRef<HTMLInputElement>(null)
  const isAsked = start !== undefined
  useEffect(() => {
    if (isAsked) field.current?.focus()
  }, [isAsked])
  return (
    <form
      className={classes['mapping']}
      onSubmit={(event) => {
        event.preventDefault()
        check({ ...draft, local_name: draft.local_name.trim() })
      }}
    >
      <span className="muted" style={{ lineHeight: 'var(--control)' }}>
        {place.name} {place.name !== place.code && <code>{place.code}</code>} →
      </span>
      <Autocomplete
        ref={field}
        label={t(`place_is.${place.type}`)}
        data={names}
        value={draft.local_name}
        onChange={choose}
        maxLength={255}
        limit={20}
      />
      <NumberInput label={t('place_id')} value={id} onChange={setId} min={1} hideControls w={96} allowDecimal={false} />
      <Action type="submit" main off={whyNot(draft, before, t)}>
        {t('mapping.check')}
      </Action>
      {cancel !== undefined && <Action onClick={cancel}>{t('mapping.cancel')}</Action>}
    </form>
  )
}

const useDraft = (place: Place, start: Meant | undefined) => {
  const { data: known } = useQuery(mappingsOf({ type: place.type }))
  const [name, setName] = useState(start?.local_name ?? '')
  const [id, setId] = useState<number | string>(start?.local_id ?? '')
  const rows = known?.rows ?? []
  const knownAs = (one: string) => rows.find(({ local_name: its }) => its === one.trim())
  const choose = (next: string): void => {
    const same = knownAs(next)
    // The id of a name that was chosen before is not that of another name.
    if (same !== undefined || knownAs(name)?.local_id === id) setId(same?.local_id ?? '')
    setName(next)
  }
  const isKnown = knownAs(name) !== undefined
  const draft: Draft = { local_name: name, local_id: typeof id === 'number' ? id : null, isKnown }
  return { draft, names: [...new Set(rows.map((one) => one.local_name))], id, choose, setId }
}

const whyNot = (draft: Draft, before: Meant | undefined, t: TFunction<'error-reports'>): string | undefined => {
  const name = draft.local_name.trim()
  if (name === '') return t('off.no_place')
  return name === before?.local_name && draft.local_id === before.local_id ? t('off.same') : undefined
}
