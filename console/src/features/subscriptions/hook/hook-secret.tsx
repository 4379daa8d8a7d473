import { useQuery } from '@tanstack/react-query'
import { useSend } from '#api/queries.ts'
import { SecretCard } from '../receiver/secret-card.tsx'
import { PublicKey } from './created.tsx'
import { hookQueries } from './hook-queries.ts'

/** What signs the deliveries of a hook. The API shows a secret when it is made, and not again. */
export const HookSecret = ({ id }: { readonly id: number }) => {
  const { data } = useQuery(hookQueries.secret(id))
  const rotating = useSend('post', '/whisperer/hooks/{id}/secret')
  const revoking = useSend('delete', '/whisperer/hooks/{id}/secret/previous')
  if (data === undefined) return null
  const path = { id }
  return (
    <>
      <SecretCard
        previous={data.previous.map((one) => one.valid_until)}
        reveal={undefined}
        rotate={async (hours) => (await rotating.mutateAsync({ path, body: { overlap_hours: hours } })).secret_key}
        revoke={() => revoking.mutateAsync({ path })}
      />
      <PublicKey hook={id} />
    </>
  )
}
