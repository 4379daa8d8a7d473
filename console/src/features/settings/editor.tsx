import { MultiSelect, NumberInput, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Action } from '#ui/action.tsx'
import { Unsaved } from '#ui/unsaved.tsx'
import { exportFields, type Setting, type SettingName, type Settings } from './settings.ts'
import classes from './settings.module.css'

type Value = Settings[SettingName]

interface EditorProps {
  readonly label: string
  readonly setting: Setting
  readonly value: Value
  readonly isSaving: boolean
  /** Why it cannot be changed by its reader. */
  readonly off: string | undefined
  readonly save: (value: Value) => void
}

/** Edits a setting where it stands: a switch at once, anything that is typed by a button. */
export const Editor = ({ label, setting, value, isSaving, off, save }: EditorProps) => {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation('texts')
  const [typed, setTyped] = useState(value)
  const isReadOnly = off !== undefined
  if (setting.kind === 'yesno')
    return (
      <div className={classes['editor']}>
        <Switch
          checked={value === true}
          disabled={isSaving || isReadOnly}
          label={common(value === true ? 'yes' : 'no')}
          aria-label={`${label}: ${common(value === true ? 'yes' : 'no')}`}
          onChange={(event) => save(event.currentTarget.checked)}
        />
        {isReadOnly && <p className="small muted">{off}</p>}
      </div>
    )
  const isChanged = JSON.stringify(typed) !== JSON.stringify(value)
  return (
    <form
      className={classes['editor']}
      onSubmit={(event) => {
        event.preventDefault()
        save(typed)
      }}
    >
      <Input label={label} setting={setting} typed={typed} isReadOnly={isReadOnly} change={setTyped} />
      {isReadOnly && <p className="small muted">{off}</p>}
      {isChanged && (
        <div className="flex">
          <Action main type="submit" loading={isSaving} off={isEmpty(typed) ? t('empty') : undefined}>
            {common('save')}
          </Action>
          <Action variant="subtle" onClick={() => setTyped(value)}>
            {common('cancel')}
          </Action>
        </div>
      )}
      <Unsaved changes={isChanged ? 1 : 0} />
    </form>
  )
}

const isEmpty = (value: Value): boolean => value === '' || (Array.isArray(value) && value.length === 0)

interface InputProps {
  readonly label: string
  readonly setting: Setting
  readonly typed: Value
  readonly isReadOnly: boolean
  readonly change: (value: Value) => void
}

const Input = ({ label, setting, typed, isReadOnly, change }: InputProps) => {
  const { t } = useTranslation('settings')
  const common = { 'aria-label': label, disabled: isReadOnly }
  if (setting.kind === 'days')
    return (
      <NumberInput
        {...common}
        value={Number(typed)}
        min={0}
        max={setting.max}
        allowDecimal={false}
        suffix={` ${t('days', { count: Number(typed) })}`}
        onChange={(next) => change(Number(next))}
      />
    )
  if (setting.kind === 'columns')
    return (
      <MultiSelect
        {...common}
        value={Array.isArray(typed) ? [...typed] : []}
        data={exportFields.map((field) => ({ value: field, label: t(`column.${field}`) }))}
        onChange={(next) => change(next)}
      />
    )
  return (
    <TextInput
      {...common}
      inputMode="decimal"
      pattern="(0|[1-9][0-9]{0,12})([.][0-9]{1,2})?"
      title={t('amount_rule')}
      value={String(typed)}
      onChange={(event) => change(event.currentTarget.value)}
    />
  )
}
