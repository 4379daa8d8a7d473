import { useTranslation } from 'react-i18next'
import { Action } from '#ui/action.tsx'
import { Notice } from '#ui/notice.tsx'
import { formatNumber } from '#ui/texts/format.ts'
import type { Conflict } from '../draft/conflicts.ts'
import { useDraftHere } from '../draft/use-draft.ts'
import { useDivisionNames } from '../division-names.ts'
import { DifferenceList } from '../history/difference-list.tsx'
import { amountOf } from '../words.ts'
import classes from '../workspace.module.css'

/** What somebody else has changed while one edits: line by line, and where both changed the same, which of them holds. */
export const News = () => {
  const { t } = useTranslation('quotations')
  const { news, lost, conflicts, off, isChanged, base, dispatch } = useDraftHere()
  const isStopped = isChanged && off !== undefined
  if (news.length === 0 && conflicts.length === 0 && lost.length === 0 && !isStopped) return null
  return (
    <Notice outcome={conflicts.length > 0 ? 'bad' : 'wait'} title={t(isStopped ? 'news.stopped' : 'news.title')}>
      <div className="stack" style={{ gap: 8 }} role="status">
        {isStopped && <p>{t('news.stopped_why', { why: off })}</p>}
        {lost.length > 0 && <p>{t('news.lost', { lines: lost.map(({ product }) => product).join(', ') })}</p>}
        {conflicts.map((conflict) => (
          <Choice key={`${conflict.line}/${conflict.cell}`} conflict={conflict} />
        ))}
        <DifferenceList differences={news} terms={base.terms} />
        {conflicts.length === 0 && !isStopped && (
          <div>
            <Action onClick={() => dispatch({ type: 'read' })}>{t('news.read')}</Action>
          </div>
        )}
      </div>
    </Notice>
  )
}

/** A cell that both have changed: theirs or one's own. */
const Choice = ({ conflict }: { readonly conflict: Conflict }) => {
  const { t } = useTranslation('quotations')
  const { lines, base, dispatch } = useDraftHere()
  const divisionName = useDivisionNames()
  const line = lines.find(({ key }) => key === conflict.line)
  if (line === undefined) return null
  const { cell } = conflict
  const what = cell === 'price' ? t('field.price') : divisionName(cell)
  const mine = cell === 'price' ? amountOf(line.price, base.terms) : formatNumber(quantityOf(line.shares, cell))
  const theirs = conflict.cell === 'price' ? amountOf(conflict.theirs, base.terms) : formatNumber(conflict.theirs)
  return (
    <div className={classes['choice']} role="group" aria-label={`${line.product}, ${what}`}>
      <span className="grow">
        <b>{line.product}</b>, {what}
      </span>
      <Action onClick={() => dispatch({ type: 'choose', conflict, isMine: true })}>
        {t('news.mine', { value: mine })}
      </Action>
      <Action onClick={() => dispatch({ type: 'choose', conflict, isMine: false })}>
        {t('news.theirs', { value: theirs })}
      </Action>
    </div>
  )
}

const quantityOf = (shares: readonly { readonly id: number; readonly quantity: number }[], division: number): number =>
  shares.find(({ id }) => id === division)?.quantity ?? 0
