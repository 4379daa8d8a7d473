import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { Action } from '#ui/action.tsx'
import { ListAndDrawer } from '#ui/list-and-drawer.tsx'
import { ListView } from '#ui/list/list-view.tsx'
import { queryOf, useList } from '#ui/list/use-list.ts'
import { Page } from '#ui/page.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Empty } from '#ui/states.tsx'
import { columns, events } from './event-list.tsx'
import { RaiseDialog } from './raise-dialog.tsx'

export const asks = ({ search }: Address): readonly AnyQuery[] => [queryOf(events, search)]

/** What happened, whether or not anybody was told of it. */
export const EventsScreen = () => {
  const { t } = useTranslation('events')
  const list = useList(events)
  const [isOpen, { open, close }] = useDisclosure()
  const raise = (
    <Action main onClick={open}>
      {t('raise.open')}
    </Action>
  )
  return (
    <ListAndDrawer>
      <Page title={t('title')} about={t('about')} request={list.request} actions={raise}>
        <ListView
          list={list}
          columns={columns}
          rowTo={({ id }) => `/events/${id}`}
          empty={
            <Empty title={t('empty')} action={raise}>
              {t('empty_why')}
            </Empty>
          }
        />
        {isOpen && <RaiseDialog close={close} />}
      </Page>
    </ListAndDrawer>
  )
}
