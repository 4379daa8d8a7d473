import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ApiError } from '#api/api-error.ts'
import { call } from '#api/queries.ts'
import { quotationOf, type Detail } from './queries.ts'
import type { Part } from './turn.ts'

/** How long what changed has to be on the screen before it counts as seen. */
const lookMs = 1_500

interface Visit {
  /** The terms that the reader knows. */
  readonly known: number
  /** Those that are on the screen. */
  readonly shown: number
}

interface Comparison {
  /** The revision that the terms are compared with; the present one: with nothing. */
  readonly from: number
  /** Whether its reader has not seen the terms before. */
  readonly isNew: boolean
}

/**
 * What to compare the terms with: those that the owner saw last, for as long as this visit lasts; else those that were asked
 * for. New terms that arrive meanwhile are compared with what was on the screen.
 */
export const useVisit = (quotation: Detail, part: Part): Comparison => {
  const { seen, revision, status } = quotation
  const seenRevision = seen?.revision ?? 1
  // Whoever has agreed to terms knows them.
  const known = status === 'approved' ? revision : seenRevision
  const [visit, setVisit] = useState<Visit>({ known, shown: revision })
  if (revision !== visit.shown) setVisit(nextVisit(visit, revision, seenRevision))
  const isNew = part === 'owner' && visit.known < revision
  useSeen(quotation, part === 'owner' && seenRevision < revision)
  return { from: isNew ? visit.known : 1, isNew }
}

/** The visit as it goes on with new terms: known is what was on the screen, if that was really looked at. */
export const nextVisit = (visit: Visit, revision: number, seenRevision: number): Visit => ({
  known: seenRevision >= visit.shown ? visit.shown : visit.known,
  shown: revision,
})

/** Says that the owner has seen the terms, once what changed has been before their eyes for a moment. */
const useSeen = ({ id, revision }: Detail, isWanted: boolean): void => {
  const queries = useQueryClient()
  const { mutate } = useMutation<unknown, ApiError, number>({
    mutationFn: (shown) => call('post', '/api/v1/my-quotations/{id}/seen', { path: { id }, body: { revision: shown } }),
    onSuccess: () => void queries.invalidateQueries({ queryKey: quotationOf(id).queryKey }),
  })
  useEffect(() => {
    const changed = document.querySelector('#changed')
    if (!isWanted || changed === null) return undefined
    let timer: number | undefined
    // The browser tells this only of a page that it draws.
    const observer = new IntersectionObserver(([entry]) => {
      window.clearTimeout(timer)
      if (entry?.isIntersecting === true)
        timer = window.setTimeout(() => document.visibilityState === 'visible' && mutate(revision), lookMs)
    })
    observer.observe(changed)
    return () => {
      window.clearTimeout(timer)
      observer.disconnect()
    }
  }, [isWanted, revision, mutate])
}
