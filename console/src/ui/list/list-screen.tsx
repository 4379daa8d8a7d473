import type { ComponentProps, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ListAndDrawer } from '#ui/list-and-drawer.tsx'
import { Page } from '#ui/page.tsx'
import { Empty } from '#ui/states.tsx'
import { ListView } from './list-view.tsx'

interface ListScreenProps<Row extends object> extends Omit<ComponentProps<typeof ListView<Row>>, 'empty'> {
  /** Makes a row: stands above the list, and in its place while there is nothing at all. */
  readonly create?: ReactNode
  /** What else one can do with the list. */
  readonly actions?: ReactNode
}

/** A list as a page with room for the drawer of a row. Its texts have `title`, `about`, `empty` and `empty_why`. */
export const ListScreen = <Row extends object>({ create, actions, ...view }: ListScreenProps<Row>) => {
  const { t } = useTranslation(view.list.texts)
  const empty = (
    <Empty title={t('empty')} action={create}>
      {t('empty_why')}
    </Empty>
  )
  const all = (
    <>
      {actions}
      {create}
    </>
  )
  return (
    <ListAndDrawer>
      <Page title={t('title')} about={t('about')} request={view.list.request} actions={all}>
        <ListView {...view} empty={empty} />
      </Page>
    </ListAndDrawer>
  )
}
