import { Modal } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useMe } from '#api/session.ts'
import { Keys } from './keys.tsx'
import { useSearch } from './use-search.ts'
import classes from './palette.module.css'

const listId = 'palette-options'
const optionId = (index: number): string => `palette-option-${index}`

type Search = ReturnType<typeof useSearch>

/** Goes anywhere by an id, a number or a name: pages, actions and recent places at once, and what the server finds. */
export const SearchDialog = ({ close }: { readonly close: () => void }) => {
  const { t } = useTranslation('shell')
  const search = useSearch(close)
  const { typed, type, at, options } = search
  return (
    <Modal.Root opened onClose={close} centered={false} yOffset="12vh" size="560px" padding={0}>
      <Modal.Overlay />
      <Modal.Content aria-label={t('palette.title')}>
        <input
          data-autofocus
          className={classes['input']}
          role="combobox"
          aria-label={t('palette.title')}
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={options.length === 0 ? undefined : optionId(at)}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          placeholder={t('palette.placeholder')}
          value={typed}
          onChange={(event) => type(event.currentTarget.value)}
          onKeyDown={(event) => press(event, search)}
        />
        <Options search={search} />
        <State search={search} />
      </Modal.Content>
    </Modal.Root>
  )
}

const press = (event: KeyboardEvent, { at, point, options, choose }: Search): void => {
  const last = options.length - 1
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: at >= last ? 0 : at + 1,
    ArrowUp: at <= 0 ? last : at - 1,
  }
  const next = moves[event.key]
  if (next !== undefined) {
    event.preventDefault()
    point(next)
    document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' })
  } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) choose()
}

const Options = ({ search: { options, at, point, run } }: { readonly search: Search }) => {
  const { t } = useTranslation('shell')
  return (
    <div role="listbox" id={listId} aria-label={t('palette.title')} className={classes['options']}>
      {options.map((option, index) => (
        <button
          type="button"
          key={option.key}
          id={optionId(index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          className={classes['option']}
          onPointerMove={() => point(index)}
          onClick={() => run(option)}
        >
          <span className="cut">{option.title}</span>
          <span className={`${classes['about']} cut`}>{option.about}</span>
          {option.keys !== undefined && <Keys keys={option.keys} />}
        </button>
      ))}
    </div>
  )
}

const State = ({ search: { text, isSettled, options, error } }: { readonly search: Search }) => {
  const { t } = useTranslation('shell')
  const me = useMe()
  const words = (): string => {
    if (error !== null) return error.message
    if (text === '') return ''
    if (!isSettled) return t('palette.searching')
    if (options.length > 0) return ''
    return text.includes('@') && !me.is_superuser ? t('palette.no_people') : t('palette.nothing', { text })
  }
  return (
    <p className={classes['state']} role="status">
      {words()}
    </p>
  )
}
