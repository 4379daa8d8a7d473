import { Autocomplete, CloseButton, Select, TagsInput, TextInput } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useEventCatalogue } from '#api/event-catalogue.ts'
import { Action } from '#ui/action.tsx'
import { conflictOf, newCondition, operators, type Condition, type Operator } from './conditions.ts'
import { covers } from './events-part.tsx'
import { errorOf, type PartProps } from './form-part.ts'
import { Trial } from './trial.tsx'
import classes from './hook.module.css'

/** Which of these events: conditions on their data, all of which must hold, tried on what has happened. */
export const FilterPart = ({ form, change, errors }: PartProps) => {
  const { t } = useTranslation('subscriptions')
  const paths = usePaths(form.events)
  const put = (next: Condition): void =>
    change({ conditions: form.conditions.map((one) => (one.key === next.key ? next : one)) })
  const remove = (key: string): void => change({ conditions: form.conditions.filter((one) => one.key !== key) })
  const conflict = conflictOf(form.conditions)
  const wrong = errorOf(errors, 'config')
  return (
    <div className="stack">
      {form.conditions.length === 0 && <p className="muted">{t('filter.none')}</p>}
      {form.conditions.map((condition) => (
        <ConditionRow key={condition.key} condition={condition} paths={paths} put={put} remove={remove} />
      ))}
      {form.conditions.length > 0 && <p className="small muted">{t('filter.hint')}</p>}
      {conflict !== undefined && <p className="text-bad">{t('filter.conflict', { path: conflict })}</p>}
      {wrong !== undefined && <p className="text-bad">{wrong}</p>}
      <div className="flex wrap">
        <Action
          off={form.conditions.length < 10 ? undefined : t('filter.most')}
          onClick={() => change({ conditions: [...form.conditions, newCondition()] })}
        >
          {t('filter.add')}
        </Action>
      </div>
      <Trial form={form} />
    </div>
  )
}

interface ConditionRowProps {
  readonly condition: Condition
  readonly paths: readonly string[]
  readonly put: (condition: Condition) => void
  readonly remove: (key: string) => void
}

const ConditionRow = ({ condition, paths, put, remove }: ConditionRowProps) => {
  const { t } = useTranslation('subscriptions')
  const { operator, values } = condition
  return (
    <div className={classes['condition']}>
      <Autocomplete
        aria-label={t('filter.path')}
        placeholder="items.sku"
        data={[...paths]}
        limit={50}
        value={condition.path}
        onChange={(path) => put({ ...condition, path })}
      />
      <Select
        aria-label={t('filter.operator')}
        allowDeselect={false}
        data={operators.map((value) => ({ value, label: t(`filter.operators.${value}`) }))}
        value={operator}
        onChange={(next) => put({ ...condition, operator: next as Operator })}
      />
      {operator === 'any' && (
        <TagsInput
          aria-label={t('filter.values')}
          placeholder={t('filter.values_hint')}
          acceptValueOnBlur
          value={[...values]}
          onChange={(next) => put({ ...condition, values: next })}
        />
      )}
      {operator !== 'any' && operator !== 'exists' && operator !== 'missing' && (
        <TextInput
          aria-label={t('filter.value')}
          value={values[0] ?? ''}
          onChange={(event) => put({ ...condition, values: [event.currentTarget.value] })}
        />
      )}
      <CloseButton aria-label={t('filter.remove')} onClick={() => remove(condition.key)} />
    </div>
  )
}

/** Paths in the examples of the events that are chosen, as help to write conditions. */
const usePaths = (chosen: readonly string[]): readonly string[] => {
  const { events } = useEventCatalogue()
  return useMemo(() => {
    const heard = (events ?? []).filter(({ name }) => chosen.some((one) => one === name || covers(one, name)))
    return [...new Set(heard.flatMap(({ example }) => pathsIn(example)))].toSorted()
  }, [events, chosen])
}

/** Lists are looked through, so the place in them is no part of a path. */
const pathsIn = (value: unknown, before = ''): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap((one) => pathsIn(one, before))
  if (typeof value !== 'object' || value === null) return before === '' ? [] : [before]
  return Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, before === '' ? key : `${before}.${key}`))
}
