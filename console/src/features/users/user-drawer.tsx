import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { recordOf } from '#api/queries.ts'
import { Drawer } from '#ui/drawer.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Time } from '#ui/time.tsx'
import { useIdParam } from '#ui/use-params.ts'

const userOf = (id: number) => recordOf('/api/v1/users/{id}', { path: { id } })

export const asks = ({ params }: Address): readonly AnyQuery[] => [userOf(Number(params['id']))]

/** One user. */
export const UserDrawer = () => {
  const { t } = useTranslation('users')
  const { data: user, error } = useQuery(userOf(useIdParam()))
  return (
    <Drawer closeTo="/users" title={user?.email} error={error}>
      {user !== undefined && (
        <dl className="facts">
          <dt>{t('field.name')}</dt>
          <dd>{`${user.first_name} ${user.last_name}`}</dd>
          <dt>{t('field.created_at')}</dt>
          <dd>
            <Time at={user.created_at} as="moment" />
          </dd>
        </dl>
      )}
    </Drawer>
  )
}
