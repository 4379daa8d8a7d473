import { Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { recordOf } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { ChangeViews } from './change-views.tsx'
import { SaveView } from './save-view.tsx'
import type { AnyList } from './use-list.ts'
import { hasFixedTime, searchOfView, viewQueryOf } from './view-query.ts'

type SavedView = Schema<'SavedView'>

interface SavedViewsProps {
  /** Name of the screen that they belong to. */
  readonly screen: string
  readonly list: Pick<AnyList, 'filters' | 'search' | 'change'>
}

/** Views of a list under a name, one's own and those that others share: to show one, to save what is shown, to change one's own. */
export const SavedViews = ({ screen, list }: SavedViewsProps) => {
  const { t } = useTranslation('texts')
  const [dialog, setDialog] = useState<'save' | 'change'>()
  const { data: views = [] } = useQuery(recordOf('/api/v1/views', { query: { screen, limit: 1_000 } }))
  const query = viewQueryOf(list.filters, list.search)
  const shown = views.find((view) => view.query === query)
  const own = views.filter((view) => view.is_mine)
  const groups = [
    { title: t('views.own'), views: own },
    { title: t('views.shared'), views: views.filter((view) => !view.is_mine) },
  ].filter((group) => group.views.length > 0)
  const close = (): void => setDialog(undefined)
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Action variant="subtle">
            {shown === undefined ? t('views.title') : t('views.shown', { name: shown.name })}
          </Action>
        </Menu.Target>
        <Menu.Dropdown>
          {groups.map(({ title, views: some }) => (
            <div key={title} role="group" aria-label={title}>
              <Menu.Label>{title}</Menu.Label>
              {some.map((view) => (
                <ViewItem
                  key={view.id}
                  view={view}
                  isShown={view.id === shown?.id}
                  show={() => list.change(searchOfView(list.filters, view.query))}
                />
              ))}
            </div>
          ))}
          {groups.length > 0 && <Menu.Divider />}
          <Menu.Item onClick={() => setDialog('save')}>{t('views.save')}</Menu.Item>
          {own.length > 0 && <Menu.Item onClick={() => setDialog('change')}>{t('views.change')}</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      {dialog === 'save' && (
        <SaveView
          screen={screen}
          query={query}
          isFixed={hasFixedTime(list.filters, list.search)}
          own={own}
          close={close}
        />
      )}
      {dialog === 'change' && <ChangeViews views={own} close={close} />}
    </>
  )
}

interface ViewItemProps {
  readonly view: SavedView
  readonly isShown: boolean
  readonly show: () => void
}

const ViewItem = ({ view, isShown, show }: ViewItemProps) => {
  const { t } = useTranslation('texts')
  return (
    <Menu.Item onClick={show} rightSection={isShown ? '✓' : undefined} aria-current={isShown || undefined}>
      {view.name} {!view.is_mine && <span className="muted small">{view.owner.name}</span>}
      {view.is_mine && view.is_shared && <span className="muted small">{t('views.for_all')}</span>}
    </Menu.Item>
  )
}
