import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { recordOf } from '#api/queries.ts'
import { Link } from '#ui/link.tsx'
import { differencesBetween, tallyOf } from '../draft/differences.ts'
import { priceDraft } from '../draft/price-draft.ts'
import { readTerms } from '../draft/terms.ts'
import { useDraftHere } from '../draft/use-draft.ts'
import { nowOf } from '../head/changes-bar.tsx'
import { amountOf, tallyWords } from '../words.ts'

export const revisionOf = (id: number, revision: number) => ({
  ...recordOf('/api/v1/quotations/{id}/revisions/{revision}', { path: { id, revision } }),
  // Terms that were sent never change.
  staleTime: 'static' as const,
})

/** What would be new to the buyer: what they saw, or were sent, beside the terms as they are now. */
export const SinceSeen = () => {
  const { t } = useTranslation('quotations')
  const draft = useDraftHere()
  const { quotation, base } = draft
  const { id, seen } = quotation
  const revision = seen?.revision ?? quotation.revision
  const { data } = useQuery(revisionOf(id, revision))
  const known = useMemo(() => {
    if (data === undefined) return undefined
    const terms = readTerms(data.terms)
    return { terms, net: priceDraft(terms.lines, terms.discounts).net }
  }, [data])
  if (known === undefined) return null
  const differences = differencesBetween(known.terms, nowOf(draft))
  const [before, after] = [known.net, draft.priced.net]
  return (
    <section className="card">
      <div className="head">
        <h2>{t(seen === null ? 'since.title' : 'since.seen')}</h2>
        <Link className="small" style={{ whiteSpace: 'nowrap' }} to={`/quotations/${id}/history`} keepSearch>
          {t('head.revision', { count: revision })}
        </Link>
      </div>
      <div className="body small stack" style={{ gap: 4 }}>
        {differences.length === 0 ? (
          <span className="muted">{t('since.nothing')}</span>
        ) : (
          <>
            <span>{tallyWords(tallyOf(differences), t)}</span>
            <span>
              {t('terms.total')} <s className="muted">{amountOf(before, base.terms)}</s>{' '}
              <b>{amountOf(after, base.terms)}</b>
            </span>
          </>
        )}
      </div>
    </section>
  )
}
