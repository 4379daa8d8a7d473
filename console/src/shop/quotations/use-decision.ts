import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ApiError } from '#api/api-error.ts'
import { call } from '#api/queries.ts'
import { compare } from '../parts/money.ts'
import { quotationOf, type Detail, type Status } from './queries.ts'

export type Decision =
  | { readonly action: 'approve' | 'approve-pending-request' }
  | { readonly action: 'reject' | 'cancel'; readonly reason: string }

/** What came in between: newer terms, or somebody who was first. */
export type Between =
  | { readonly kind: 'stale'; readonly amount: string }
  | { readonly kind: 'taken'; readonly status: Status }

/** What is decided on, as it was shown. A list does not show which terms. */
type Shown = Pick<Detail, 'id' | 'status' | 'net_amount'> & Partial<Pick<Detail, 'revision'>>

const send = ({ id, revision, net_amount: amount }: Shown, decision: Decision): Promise<Detail> => {
  const path = { id }
  switch (decision.action) {
    case 'approve': {
      // The button said what it comes to, also where that is nothing.
      const body = {
        ...(revision !== undefined && { revision }),
        ...(compare(amount, '0') === 0 && { confirm_zero: true }),
      }
      return call('post', '/api/v1/my-quotations/{id}/approve', { path, body })
    }
    case 'approve-pending-request':
      return call('post', '/api/v1/my-quotations/{id}/approve-pending-request', { path, body: {} })
    case 'reject':
      return call('post', '/api/v1/my-quotations/{id}/reject', { path, body: reasonOf(decision.reason) })
    case 'cancel':
      return call('post', '/api/v1/my-quotations/{id}/cancel', { path, body: reasonOf(decision.reason) })
  }
}

const reasonOf = (reason: string): { readonly reason?: string } =>
  reason.trim() === '' ? {} : { reason: reason.trim() }

/** Decides on a quotation as it was shown. A decision that somebody else has taken meanwhile is no error: it is told. */
export const useDecision = (quotation: Shown, onDone: (now: Detail) => void) => {
  const queries = useQueryClient()
  const [between, setBetween] = useState<Between>()
  const query = quotationOf(quotation.id)
  const { mutate, error, isPending, variables } = useMutation<Detail, ApiError, Decision>({
    mutationFn: async (decision) => {
      setBetween(undefined)
      try {
        return await send(quotation, decision)
      } catch (cause) {
        const refusal = cause as ApiError
        if (![400, 404, 409, 412].includes(refusal.status)) throw refusal
        const now = await queries.query({ ...query, staleTime: 0 })
        const found = betweenOf(quotation, now, refusal)
        if (found === undefined) throw refusal
        setBetween(found)
        return now
      }
    },
    onSuccess: (now) => {
      queries.setQueryData(query.queryKey, now)
      void queries.invalidateQueries()
      onDone(now)
    },
  })
  const tried = variables?.action
  return { decide: mutate, error, tried, pending: isPending ? tried : undefined, between, tell: setBetween }
}

/** Why what was decided on is another thing by now; undefined: it is not. */
export const betweenOf = (
  shown: Omit<Shown, 'id'>,
  now: Pick<Detail, 'status' | 'revision'>,
  { code }: Pick<ApiError, 'code'>,
): Between | undefined => {
  if (now.status !== shown.status) return { kind: 'taken', status: now.status }
  if (code === 'stale_revision' || (shown.revision !== undefined && now.revision !== shown.revision))
    return { kind: 'stale', amount: shown.net_amount }
  return undefined
}
