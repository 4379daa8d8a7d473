import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '#api/types.ts'
import { formatMoney } from '#ui/texts/format.ts'
import { Skeleton } from '#ui/states.tsx'
import { Time } from '#ui/time.tsx'
import { differencesBetween, tallyOf } from '../draft/differences.ts'
import { readTerms, type Terms } from '../draft/terms.ts'
import { useDraftHere } from '../draft/use-draft.ts'
import { nowOf } from '../head/changes-bar.tsx'
import { revisionOf } from '../side/since-seen.tsx'
import { tallyWords } from '../words.ts'
import { DifferenceList } from './difference-list.tsx'
import classes from '../workspace.module.css'

type Revision = RowOf<'/api/v1/quotations/{id}/revisions'>

interface RevisionsProps {
  readonly revisions: readonly Revision[]
  readonly names: ReadonlyMap<number, string>
}

/** The terms that were sent, the newest first, and what differs between two of them, or between one and the terms now. */
export const Revisions = ({ revisions, names }: RevisionsProps) => {
  const { t } = useTranslation('quotations')
  const { quotation } = useDraftHere()
  const last = revisions.at(-1)?.revision ?? 1
  const [chosen, choose] = useState<number>()
  // What a draft changes, else what the last offer changed.
  const from = chosen ?? (quotation.status === 'draft' ? last : Math.max(1, last - 1))
  return (
    <section className="stack">
      <h2>{t('revisions.title')}</h2>
      <ol className={classes['revisions']} reversed>
        {revisions.toReversed().map(({ revision, created_at: at, net_amount: net, created_by: by }) => (
          <li key={revision}>
            <button type="button" aria-pressed={revision === from} onClick={() => choose(revision)}>
              {t('revisions.one', { count: revision })}
            </button>
            <span>{formatMoney(net, quotation.currency)}</span>
            <span className="muted">
              {names.get(by)} <Time at={at} />
            </span>
          </li>
        ))}
      </ol>
      <Compared from={from} to={from === last ? undefined : from + 1} />
    </section>
  )
}

/** What differs between a revision and the next one; of the last one, the terms as they are now. */
const Compared = ({ from, to }: { readonly from: number; readonly to: number | undefined }) => {
  const { t } = useTranslation('quotations')
  const draft = useDraftHere()
  const { id } = draft.quotation
  const { data: before } = useQuery(revisionOf(id, from))
  const { data: after } = useQuery({ ...revisionOf(id, to ?? from), enabled: to !== undefined })
  const was = useMemo(() => before && readTerms(before.terms), [before])
  const sent = useMemo(() => after && readTerms(after.terms), [after])
  const is: Terms | undefined = to === undefined ? nowOf(draft) : sent
  if (was === undefined || is === undefined) return <Skeleton lines={3} width="100%" />
  const differences = differencesBetween(was, is)
  const title = to === undefined ? t('revisions.now', { from }) : t('revisions.between', { from, to })
  return (
    <div className="stack" aria-live="polite">
      <h3>{title}</h3>
      {differences.length === 0 ? (
        <p className="muted">{t('revisions.same')}</p>
      ) : (
        <>
          <p>{tallyWords(tallyOf(differences), t)}</p>
          <DifferenceList differences={differences} terms={was} />
        </>
      )}
    </div>
  )
}
