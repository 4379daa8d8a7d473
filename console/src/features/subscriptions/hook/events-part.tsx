import { Checkbox, Pill, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useEventCatalogue, type EventFacts } from '#api/event-catalogue.ts'
import { JsonView } from '#ui/json-view.tsx'
import { Failed, Skeleton } from '#ui/states.tsx'
import { errorOf, type PartProps } from './form-part.ts'
import classes from './hook.module.css'

/** Which events: names and patterns, chosen from all that there are. */
export const EventsPart = ({ form, change, errors }: PartProps) => {
  const { t } = useTranslation('subscriptions')
  const { events, error } = useEventCatalogue()
  const [words, search] = useState('')
  const toggle = (name: string): void => {
    const isChosen = form.events.includes(name)
    change({ events: isChosen ? form.events.filter((one) => one !== name) : [...form.events, name] })
  }
  const wrong = errorOf(errors, 'event_type')
  return (
    <div className="stack">
      <div className="flex wrap" aria-live="polite">
        {form.events.length === 0 && <span className="muted">{t('events.none')}</span>}
        {form.events.map((name) => (
          <Pill
            key={name}
            withRemoveButton
            className={classes['pill'] ?? ''}
            onRemove={() => toggle(name)}
            removeButtonProps={{ 'aria-label': t('events.remove', { name }), 'aria-hidden': false, tabIndex: 0 }}
          >
            <code>{name}</code>
          </Pill>
        ))}
      </div>
      {wrong !== undefined && <p className="text-bad">{wrong}</p>}
      <TextInput
        label={t('events.search')}
        placeholder={t('events.search_hint')}
        type="search"
        value={words}
        onChange={(event) => search(event.currentTarget.value)}
      />
      {events === undefined && error !== null && <Failed error={error} />}
      {events === undefined && error === null && <Skeleton lines={10} width="100%" />}
      {events !== undefined && <Choices events={events} words={words} chosen={form.events} toggle={toggle} />}
    </div>
  )
}

interface ChoicesProps {
  readonly events: readonly EventFacts[]
  readonly words: string
  readonly chosen: readonly string[]
  readonly toggle: (name: string) => void
}

/** Every event below the group that its name begins with; the group is a pattern of its own. */
const Choices = ({ events, words, chosen, toggle }: ChoicesProps) => {
  const { t } = useTranslation('subscriptions')
  const wanted = words.trim().toLowerCase()
  const found = events.filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(wanted))
  const groups = [...new Set(found.map(({ name }) => name.split('.')[0] ?? name))]
  if (found.length === 0) return <p className="muted">{t('events.no_match', { words })}</p>
  return (
    <div className={classes['choices']}>
      {wanted === '' && (
        <Checkbox label={t('events.all')} checked={chosen.includes('*')} onChange={() => toggle('*')} />
      )}
      {groups.map((group) => (
        <fieldset key={group} className={classes['group']}>
          <legend className="visually-hidden">{group}</legend>
          <Checkbox
            label={t('events.group', { group })}
            checked={chosen.includes(`${group}.*`)}
            onChange={() => toggle(`${group}.*`)}
          />
          {found
            .filter(({ name }) => name.startsWith(`${group}.`) || name === group)
            .map((facts) => (
              <Choice key={facts.name} facts={facts} chosen={chosen} toggle={toggle} />
            ))}
        </fieldset>
      ))}
    </div>
  )
}

interface ChoiceProps extends Pick<ChoicesProps, 'chosen' | 'toggle'> {
  readonly facts: EventFacts
}

const Choice = ({ facts: { name, description, example, schema }, chosen, toggle }: ChoiceProps) => {
  const { t } = useTranslation('subscriptions')
  const [isOpen, setOpen] = useState(false)
  const pattern = chosen.find((one) => one !== name && covers(one, name))
  return (
    <div className={classes['choice']}>
      <Checkbox
        label={<code>{name}</code>}
        description={pattern === undefined ? description : t('events.covered', { pattern })}
        checked={chosen.includes(name) || pattern !== undefined}
        disabled={pattern !== undefined}
        onChange={() => toggle(name)}
      />
      <button type="button" className={classes['quiet']} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t('events.data')}
        <span className="visually-hidden"> {name}</span>
      </button>
      {isOpen && (
        <div className={`stack ${classes['facts']}`}>
          {example === undefined || example === null ? (
            <p className="muted">{t('events.no_example')}</p>
          ) : (
            <JsonView text={JSON.stringify(example)} label={t('events.example', { name })} />
          )}
          {schema !== undefined && schema !== null && (
            <details>
              <summary>{t('events.schema')}</summary>
              <JsonView text={JSON.stringify(schema)} label={t('events.schema')} />
            </details>
          )}
        </div>
      )}
    </div>
  )
}

/** Whether a pattern takes in a name: `*` all, `package.*` whatever begins with `package.`. */
export const covers = (pattern: string, name: string): boolean =>
  pattern === '*' || (pattern.endsWith('.*') && name.startsWith(pattern.slice(0, -1)))
