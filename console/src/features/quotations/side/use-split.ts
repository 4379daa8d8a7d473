import { useMemo } from 'react'
import { splitDraft } from '../draft/price-draft.ts'
import { useDraftHere } from '../draft/use-draft.ts'

/** The lines as orders, by the rule that the server cuts them by. */
export const useSplit = () => {
  const { quotation, lines, priced } = useDraftHere()
  const { batch_size: size } = quotation
  return useMemo(() => splitDraft(lines, priced, size), [lines, priced, size])
}
