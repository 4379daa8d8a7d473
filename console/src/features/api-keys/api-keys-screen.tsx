import { useTranslation } from 'react-i18next'
import type { RowOf } from '#api/types.ts'
import { GoAction } from '#ui/go-action.tsx'
import type { Column } from '#ui/list/list-table.tsx'
import { ListScreen } from '#ui/list/list-screen.tsx'
import { queryOf, useList, type ListDefinition } from '#ui/list/use-list.ts'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Time } from '#ui/time.tsx'
import { DeleteKey } from './delete-key.tsx'

type ApiKey = RowOf<'/api/v1/auth/api-keys'>

const keys: ListDefinition<'/api/v1/auth/api-keys'> = {
  path: '/api/v1/auth/api-keys',
  texts: 'api-keys',
  filters: [{ name: 'created_at', label: 'field.created_at', kind: 'time' }],
}

const columns: readonly Column<ApiKey>[] = [
  { name: 'name', title: 'field.name', render: (key) => key.name },
  { name: 'prefix', title: 'field.prefix', isWide: true, render: (key) => <code>{key.prefix}…</code> },
  {
    name: 'scopes',
    title: 'field.scopes',
    isWide: true,
    render: (key, t) => (key.scopes === null ? t('all') : <code>{key.scopes.join(' ')}</code>),
  },
  {
    name: 'last_used_at',
    title: 'field.last_used_at',
    render: (key, t) =>
      key.last_used_at === null ? <span className="muted">{t('never')}</span> : <Time at={key.last_used_at} />,
  },
  {
    name: 'expires_at',
    title: 'field.expires_at',
    render: (key, t) =>
      key.expires_at === null ? <span className="muted">{t('never')}</span> : <Time at={key.expires_at} as="date" />,
  },
  {
    name: 'created_at',
    title: 'field.created_at',
    isWide: true,
    render: (key) => <Time at={key.created_at} as="date" />,
  },
  { name: 'delete', title: 'field.delete', render: (key) => <DeleteKey id={key.id} name={key.name} /> },
]

export const asks = ({ search }: Address): readonly AnyQuery[] => [queryOf(keys, search)]

/** The keys with which programs act for whoever is logged in. */
export const ApiKeysScreen = () => {
  const { t } = useTranslation('api-keys')
  return (
    <ListScreen
      list={useList(keys)}
      columns={columns}
      create={
        <GoAction main to="/api_keys/new">
          {t('add')}
        </GoAction>
      }
    />
  )
}
