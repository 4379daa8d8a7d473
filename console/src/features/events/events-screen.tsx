import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { Action } from '#ui/action.tsx'
import { ListScreen } from '#ui/list/list-screen.tsx'
import { queryOf, useList } from '#ui/list/use-list.ts'
import type { Address, AnyQuery } from '#ui/screen.ts'
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
    <>
      <ListScreen list={list} columns={columns} rowTo={({ id }) => `/events/${id}`} create={raise} />
      {isOpen && <RaiseDialog close={close} />}
    </>
  )
}
