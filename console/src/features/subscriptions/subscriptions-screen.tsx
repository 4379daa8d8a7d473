import { useTranslation } from 'react-i18next'
import { Action } from '#ui/action.tsx'
import { useGo } from '#ui/go.ts'
import { ListView } from '#ui/list/list-view.tsx'
import { queryOf, useList } from '#ui/list/use-list.ts'
import { Page } from '#ui/page.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Empty } from '#ui/states.tsx'
import { columns, pageOf, subscriptions } from './subscription-list.tsx'

export const asks = ({ search }: Address): readonly AnyQuery[] => [queryOf(subscriptions, search)]

/** Everything that gets deliveries, of whatever kind, with how it did in the last day. */
export const SubscriptionsScreen = () => {
  const { t } = useTranslation('subscriptions')
  const list = useList(subscriptions)
  const go = useGo()
  const subscribe = (
    <Action main onClick={() => go.push('/subscriptions/new')}>
      {t('new.open')}
    </Action>
  )
  return (
    <Page title={t('title')} about={t('about_list')} request={list.request} actions={subscribe}>
      <ListView
        list={list}
        columns={columns}
        idOf={({ kind, id }) => `${kind} ${id}`}
        rowTo={pageOf}
        empty={
          <Empty title={t('empty')} action={subscribe}>
            {t('empty_why')}
          </Empty>
        }
      />
    </Page>
  )
}
