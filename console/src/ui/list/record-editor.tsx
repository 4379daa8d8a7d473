import { Combobox, TextInput, useCombobox } from '@mantine/core'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRecords, type Records } from './records.ts'
import classes from './list.module.css'

interface RecordEditorProps {
  readonly label: string
  readonly records: Records
  readonly choose: (id: string) => void
}

/** Chooses a record by its name or its id: by the arrows and Enter, or Enter alone for the first. */
export const RecordEditor = ({ label, records: source, choose }: RecordEditorProps) => {
  const { t } = useTranslation('texts')
  const id = useId()
  const [typed, type] = useState('')
  const { records, isSettled, isAsked } = useRecords(source, typed)
  const store = useCombobox({ opened: true })
  const [first] = records
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (first !== undefined) choose(first.id)
      }}
    >
      <Combobox store={store} onOptionSubmit={choose}>
        <Combobox.EventsTarget>
          <TextInput
            id={id}
            label={label}
            placeholder={t(isAsked ? 'list.name_or_id' : 'list.id')}
            autoComplete="off"
            value={typed}
            onChange={(event) => {
              type(event.currentTarget.value)
              store.resetSelectedOption()
            }}
            data-autofocus
          />
        </Combobox.EventsTarget>
        <div className={classes['records']}>
          <Combobox.Options labelledBy={`${id}-label`}>
            {records.map((record) => (
              <Combobox.Option key={record.id} value={record.id}>
                {record.name}
              </Combobox.Option>
            ))}
          </Combobox.Options>
          <p className="small muted" role="status">
            {!isSettled && t('list.loading')}
            {isSettled && isAsked && records.length === 0 && t('list.no_match')}
          </p>
        </div>
      </Combobox>
    </form>
  )
}
