import { useQuery } from '@tanstack/react-query'
import { recordOf } from '#api/queries.ts'
import { useMe } from '#api/session.ts'
import { Link } from '#ui/link.tsx'

/** Who did something: by e-mail for superusers, who may read users, and for oneself; else by id. */
export const Person = ({ id, fallback }: { readonly id: number; readonly fallback: string }) => {
  const me = useMe()
  const { data } = useQuery({
    ...recordOf('/api/v1/users/{id}', { path: { id } }),
    enabled: me.is_superuser,
    staleTime: 5 * 60_000,
  })
  if (me.id === id) return <>{me.email}</>
  if (!me.is_superuser) return <>{fallback}</>
  return <Link to={`/users/${id}`}>{data?.email ?? fallback}</Link>
}
