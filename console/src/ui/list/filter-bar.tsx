import { CloseButton, Menu, Popover, UnstyledButton } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Action } from '#ui/action.tsx'
import { useShortcut } from '#ui/shortcuts.ts'
import { FilterEditor } from './filter-editor.tsx'
import { isActive, parametersOf, type Filter } from './filters.ts'
import { useDescribe } from './use-describe.ts'
import type { AnyList } from './use-list.ts'
import classes from './list.module.css'

/** The filters that are set, as badges that are edited in place, and a menu of the others. */
export const FilterBar = ({
  list,
}: {
  readonly list: Pick<AnyList, 'filters' | 'search' | 'change' | 'clear' | 'texts'>
}) => {
  const { t } = useTranslation('texts')
  const { t: own } = useTranslation(list.texts)
  /** A filter that was chosen in the menu and has no value yet. */
  const [added, setAdded] = useState<string>()
  const box = useRef<HTMLDivElement>(null)
  useShortcut('f', 'shell:keys.filters', () => box.current?.querySelector('button')?.focus())
  const describe = useDescribe(list)
  const shown = list.filters.filter((filter) => isActive(filter, list.search) || filter.name === added)
  const others = list.filters.filter((filter) => !shown.includes(filter))
  return (
    <div className="flex wrap" ref={box}>
      {shown.map((filter) => (
        <FilterBadge
          key={filter.name}
          filter={filter}
          list={list}
          value={isActive(filter, list.search) ? describe(filter) : '…'}
          isNew={filter.name === added}
          onDone={() => setAdded(undefined)}
        />
      ))}
      {others.length > 0 && (
        <Menu position="bottom-start">
          <Menu.Target>
            <Action variant="subtle">{t('list.add_filter')}</Action>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map((filter) => (
              <Menu.Item key={filter.name} onClick={() => setAdded(filter.name)}>
                {own(filter.label)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {shown.length > 1 && (
        <Action variant="subtle" onClick={list.clear}>
          {t('list.clear')}
        </Action>
      )}
    </div>
  )
}

interface FilterBadgeProps {
  readonly filter: Filter
  readonly list: Pick<AnyList, 'search' | 'change' | 'texts'>
  readonly value: string
  readonly isNew: boolean
  readonly onDone: () => void
}

const FilterBadge = ({ filter, list, value, isNew, onDone }: FilterBadgeProps) => {
  const { t } = useTranslation('texts')
  const { t: own } = useTranslation(list.texts)
  const name = own(filter.label)
  const [isOpen, setOpen] = useState(isNew)
  const close = (): void => {
    setOpen(false)
    onDone()
  }
  return (
    <Popover opened={isOpen} onChange={(next) => (next ? setOpen(true) : close())} trapFocus position="bottom-start">
      <span className={classes['badge']}>
        <Popover.Target>
          <UnstyledButton
            className={classes['badgeText']}
            onClick={() => setOpen(!isOpen)}
            aria-label={`${name} ${value}, ${t('list.edit_filter', { name })}`}
          >
            {name} <b>{value}</b>
          </UnstyledButton>
        </Popover.Target>
        <CloseButton
          size={24}
          iconSize={12}
          aria-label={t('list.remove_filter', { name })}
          onClick={() => {
            list.change(Object.fromEntries(parametersOf(filter).map((parameter) => [parameter, undefined])))
            close()
          }}
        />
      </span>
      <Popover.Dropdown>
        <FilterEditor
          filter={filter}
          texts={list.texts}
          search={list.search}
          apply={(parameters) => {
            list.change(parameters)
            close()
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
