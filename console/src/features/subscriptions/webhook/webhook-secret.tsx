import { useState } from 'react'
import { call, useSend } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { SecretCard } from '../receiver/secret-card.tsx'
import { webhookRoot, type WebhookPath } from './webhook-queries.ts'

/** What signs the deliveries of a webhook; owners and admins of the organization may see it. */
export const WebhookSecret = ({ path }: { readonly path: WebhookPath }) => {
  const [previous, setPrevious] = useState<string | null>(null)
  const rotating = useSend('post', `${webhookRoot}/secret`)
  const revoking = useSend('delete', `${webhookRoot}/secret/previous`)
  const remember = ({ secret, previousValidUntil }: Schema<'WebhookSecret'>): string => {
    setPrevious(previousValidUntil)
    return secret
  }
  return (
    <SecretCard
      previous={previous === null ? [] : [previous]}
      reveal={async () => remember(await call('get', `${webhookRoot}/secret`, { path }))}
      rotate={async (overlapHours) => remember(await rotating.mutateAsync({ path, body: { overlapHours } }))}
      revoke={async () => {
        await revoking.mutateAsync({ path })
        setPrevious(null)
      }}
    />
  )
}
