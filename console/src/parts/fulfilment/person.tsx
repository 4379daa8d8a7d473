import { useQuery } from '@tanstack/react-query'
import { recordOf } from '#api/queries.ts'
import { useMe, type Me } from '#api/session.ts'
import { Link } from '#ui/link.tsx'

const called = ({
  first_name: first,
  last_name: last,
  email,
}: Pick<Me, 'first_name' | 'last_name' | 'email'>): string => `${first} ${last}`.trim() || email

interface PersonProps {
  readonly id: number
  /** What they are called, where it is known. */
  readonly name?: string | undefined
  readonly fallback: string
}

/** Who did something: by name where it is known, or by e-mail; whoever may not read users sees others by id. */
export const Person = ({ id, name, fallback }: PersonProps) => {
  const me = useMe()
  const { data } = useQuery({
    ...recordOf('/api/v1/users/{id}', { path: { id } }),
    enabled: me.is_superuser && name === undefined,
    staleTime: 5 * 60_000,
  })
  if (me.id === id) return <>{name ?? called(me)}</>
  if (!me.is_superuser) return <>{name ?? fallback}</>
  return <Link to={`/users/${id}`}>{name ?? (data && called(data)) ?? fallback}</Link>
}
