import { Checkbox, NumberInput, Radio, TextInput } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Action } from '#ui/action.tsx'
import { fromLocalTime, toLocalTime } from '#ui/local-time.ts'
import { RecordEditor } from './record-editor.tsx'
import type { Records } from './records.ts'
import { choiceName, parametersOf, resolveTime, type Filter, type Search } from './filters.ts'

interface FilterEditorProps {
  readonly filter: Filter
  /** The namespace of its labels. */
  readonly texts: string
  readonly search: Search
  readonly apply: (parameters: Search) => void
}

/** Edits the value of one filter. */
export const FilterEditor = (props: FilterEditorProps) => {
  const { kind } = props.filter
  if (kind === 'choice' && props.filter.isRepeatable === true) return <ManyEditor {...props} />
  if (kind === 'choice' || kind === 'yesno') return <OneEditor {...props} />
  if (kind === 'record') return <OneRecord {...props} records={props.filter.records} />
  if (kind === 'time') return <TimeEditor {...props} />
  return <TextEditor {...props} />
}

const valuesOf = (search: Search, name: string): readonly string[] => [search[name] ?? []].flat().map(String)

const choicesOf = (filter: Filter, t: TFunction<'texts'>, own: TFunction) =>
  filter.kind === 'choice'
    ? filter.choices.map((choice) => ({ value: choice.value, label: choiceName(choice, own) }))
    : [
        { value: 'true', label: t('yes') },
        { value: 'false', label: t('no') },
      ]

const OneEditor = ({ filter, texts, search, apply }: FilterEditorProps) => {
  const { t } = useTranslation('texts')
  const { t: own } = useTranslation(texts)
  return (
    <Radio.Group
      label={own(filter.label)}
      value={valuesOf(search, filter.name)[0] ?? null}
      onChange={(value) => apply({ [filter.name]: value })}
    >
      <div className="stack" style={{ gap: 6, marginTop: 6 }}>
        {choicesOf(filter, t, own).map(({ value, label }) => (
          <Radio key={value} value={value} label={label} size="xs" />
        ))}
      </div>
    </Radio.Group>
  )
}

const ManyEditor = ({ filter, texts, search, apply }: FilterEditorProps) => {
  const { t } = useTranslation('texts')
  const { t: own } = useTranslation(texts)
  const [chosen, setChosen] = useState<string[]>([...valuesOf(search, filter.name)])
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        apply({ [filter.name]: chosen.length === 0 ? undefined : chosen })
      }}
    >
      <Checkbox.Group label={own(filter.label)} value={chosen} onChange={setChosen}>
        <div className="stack" style={{ gap: 6, marginTop: 6 }}>
          {choicesOf(filter, t, own).map(({ value, label }) => (
            <Checkbox key={value} value={value} label={label} />
          ))}
        </div>
      </Checkbox.Group>
      <Action type="submit">{t('list.apply')}</Action>
    </form>
  )
}

const OneRecord = ({ filter, records, texts, apply }: FilterEditorProps & { readonly records: Records }) => {
  const { t: own } = useTranslation(texts)
  return <RecordEditor label={own(filter.label)} records={records} choose={(id) => apply({ [filter.name]: id })} />
}

const TextEditor = ({ filter, texts, search, apply }: FilterEditorProps) => {
  const { t } = useTranslation('texts')
  const { t: own } = useTranslation(texts)
  const label = own(filter.label)
  const names = parametersOf(filter)
  const isRepeatable = filter.kind === 'text' && filter.isRepeatable === true
  const [values, setValues] = useState(() => names.map((name) => valuesOf(search, name).join(', ')))
  const valueOf = (text = ''): string | string[] | undefined =>
    isRepeatable ? (text.match(/[^\s,]+/g) ?? undefined) : text.trim() || undefined
  const labels = names.length === 1 ? [label] : [`${label}, ${t('list.from')}`, `${label}, ${t('list.until')}`]
  const Field = filter.kind === 'text' ? TextField : NumberField
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        apply(Object.fromEntries(names.map((name, index) => [name, valueOf(values[index])])))
      }}
    >
      {names.map((name, index) => (
        <Field
          key={name}
          label={labels[index] ?? ''}
          value={values[index] ?? ''}
          onChange={(text) => setValues(values.with(index, text))}
        />
      ))}
      <Action type="submit">{t('list.apply')}</Action>
    </form>
  )
}

interface FieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
}

const TextField = ({ label, value, onChange }: FieldProps) => (
  <TextInput label={label} value={value} onChange={(event) => onChange(event.currentTarget.value)} data-autofocus />
)

const NumberField = ({ label, value, onChange }: FieldProps) => (
  <NumberInput label={label} value={value} onChange={(next) => onChange(String(next))} hideControls data-autofocus />
)

const distances = ['-15m', '-1h', '-6h', '-24h', '-7d', '-30d'] as const

const TimeEditor = ({ filter, search, apply }: FilterEditorProps) => {
  const { t } = useTranslation('texts')
  const [from = '', until = ''] = parametersOf(filter)
  const [times, setTimes] = useState(() => [from, until].map((name) => toLocal(valuesOf(search, name)[0])))
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        apply({ [from]: fromLocalTime(times[0] ?? ''), [until]: fromLocalTime(times[1] ?? '') })
      }}
    >
      <div className="flex wrap" style={{ maxWidth: 280 }}>
        {distances.map((value) => (
          <Action key={value} onClick={() => apply({ [from]: value, [until]: undefined })}>
            {distanceText(value, t)}
          </Action>
        ))}
      </div>
      {[t('list.from'), t('list.until')].map((label, index) => (
        <TextInput
          key={label}
          type="datetime-local"
          step={1}
          label={label}
          value={times[index] ?? ''}
          onChange={(event) => setTimes(times.with(index, event.currentTarget.value))}
        />
      ))}
      <Action type="submit">{t('list.apply')}</Action>
    </form>
  )
}

const distanceText = (value: string, t: TFunction<'texts'>): string => {
  const key = { m: 'last_minutes', h: 'last_hours', d: 'last_days' }[value.slice(-1)] ?? ''
  return t(`list.${key}`, { count: Number(value.slice(1, -1)) })
}

/** What an input of a local time shows of a time of the address. */
const toLocal = (value: string | undefined): string =>
  value === undefined ? '' : toLocalTime(resolveTime(value, new Date()))
