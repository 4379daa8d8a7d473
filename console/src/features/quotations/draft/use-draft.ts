import { useMutation, useQueryClient } from '@tanstack/react-query'
import { createContext, use, useMemo, useReducer } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#api/api-error.ts'
import { quotationOf, type Quotation } from '../quotation.ts'
import { begin, draftReducer, type Base } from './draft-state.ts'
import { discountsWith, hasEdits, linesWith, type Edits } from './edits.ts'
import { priceDraft } from './price-draft.ts'
import { saveSteps } from './save-steps.ts'
import { readTerms } from './terms.ts'

const baseOf = (quotation: Quotation): Base => ({ version: quotation.version, terms: readTerms(quotation) })

/** What somebody makes of the terms of a quotation, priced as they type; it is theirs until it is saved. */
export const useDraft = (quotation: Quotation) => {
  const { t } = useTranslation('quotations')
  const [state, dispatch] = useReducer(draftReducer, quotation, (first) => begin(baseOf(first)))
  const { base, edits } = state
  const saving = useSaving(quotation.id, base, edits, dispatch)
  // What a save makes arrives twice: as its answer, and by the stream.
  if (quotation.version > base.version && !saving.isPending) dispatch({ type: 'arrived', base: baseOf(quotation) })
  const lines = useMemo(() => linesWith(base.terms, edits), [base, edits])
  const discounts = useMemo(() => discountsWith(base.terms, edits), [base, edits])
  const priced = useMemo(() => priceDraft(lines, discounts), [lines, discounts])
  const netBefore = useMemo(() => priceDraft(base.terms.lines, base.terms.discounts).net, [base])
  const { allowed_actions: allowed, blocked_actions: blocked } = quotation
  return {
    ...state,
    quotation,
    lines,
    discounts,
    priced,
    /** What the terms come to as they are saved. */
    netBefore,
    isChanged: hasEdits(edits),
    /** Why the terms cannot be edited now. */
    off: allowed.includes('edit') ? undefined : (blocked['edit'] ?? t('off.role')),
    edit: (change: (edits: Edits) => Edits): void => dispatch({ type: 'edit', change }),
    dispatch,
    save: saving.mutate,
    isSaving: saving.isPending,
    /** Why the last save did not come to its end. */
    saveError: saving.error,
  }
}

/** Saves the edits one request after the other; what is saved is no edit any more, also where a later one is refused. */
const useSaving = (
  id: number,
  base: Base,
  edits: Edits,
  dispatch: (action: Parameters<typeof draftReducer>[1]) => void,
) => {
  const queries = useQueryClient()
  return useMutation<void, ApiError>({
    mutationFn: async () => {
      let now = base
      for (const { send, given } of saveSteps(base.terms, edits)) {
        const answer = await send(id, `"${now.version}"`, now.terms)
        now = baseOf(answer)
        queries.setQueryData(quotationOf(id).queryKey, answer)
        dispatch({ type: 'saved', base: now, ...(given !== undefined && { given }) })
      }
    },
    onSettled: () => void queries.invalidateQueries(),
  })
}

export type Draft = ReturnType<typeof useDraft>

export const DraftContext = createContext<Draft | undefined>(undefined)
export const DraftNowContext = createContext<Draft | undefined>(undefined)

const within = (draft: Draft | undefined): Draft => {
  if (draft === undefined) throw new Error('There is no workspace around this.')
  return draft
}

/** The draft of the quotation that the workspace shows, a moment after a key where much is drawn of it. */
export const useDraftHere = (): Draft => within(use(DraftContext))

/** The same at once, for what answers the keys. */
export const useDraftNow = (): Draft => within(use(DraftNowContext))
