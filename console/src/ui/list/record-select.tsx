import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRecords, type Records } from './records.ts'

interface RecordSelectProps {
  readonly label: string
  readonly description?: ReactNode
  readonly records: Records
  /** Id of the record; null: none. */
  readonly value: string | null
  readonly onChange: (id: string | null) => void
  readonly error?: ReactNode
  readonly required?: boolean
  /** What stands there for none, where none may be. */
  readonly none?: string
  readonly disabled?: boolean
}

/** A field of a form that names a record: found by words as they are typed, or by its id. */
export const RecordSelect = ({ records: source, value, onChange, none, ...field }: RecordSelectProps) => {
  const { t } = useTranslation('texts')
  const [typed, type] = useState('')
  const { data: name } = useQuery({ ...source.name(value ?? ''), enabled: value !== null })
  const chosen = value === null ? undefined : { id: value, name: name ?? `#${value}` }
  // While what was chosen stands there nobody is looking for it.
  const { records, isSettled } = useRecords(source, typed === chosen?.name ? '' : typed)
  const all = chosen === undefined || records.some(({ id }) => id === chosen.id) ? records : [chosen, ...records]
  return (
    <Select
      {...field}
      searchable
      clearable={none !== undefined}
      placeholder={none ?? t('list.name_or_id')}
      nothingFoundMessage={t(isSettled ? 'list.no_match' : 'list.loading')}
      data={all.map((one) => ({ value: one.id, label: one.name }))}
      filter={({ options }) => options}
      value={value}
      onChange={onChange}
      onSearchChange={type}
    />
  )
}
