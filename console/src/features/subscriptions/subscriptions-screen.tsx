import { useTranslation } from 'react-i18next'
import { GoAction } from '#ui/go-action.tsx'
import { ListScreen } from '#ui/list/list-screen.tsx'
import { queryOf, useList } from '#ui/list/use-list.ts'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { columns, pageOf, subscriptions } from './subscription-list.tsx'

export const asks = ({ search }: Address): readonly AnyQuery[] => [queryOf(subscriptions, search)]

/** Everything that gets deliveries, of whatever kind, with how it did in the last day. */
export const SubscriptionsScreen = () => {
  const { t } = useTranslation('subscriptions')
  return (
    <ListScreen
      list={useList(subscriptions)}
      columns={columns}
      idOf={({ kind, id }) => `${kind} ${id}`}
      rowTo={pageOf}
      create={
        <GoAction main to="/subscriptions/new">
          {t('new.open')}
        </GoAction>
      }
    />
  )
}
