import { useTranslation } from 'react-i18next'
import { Link } from '#ui/link.tsx'
import { formatList } from '#ui/texts/format.ts'
import type { Told } from '#ui/use-each.ts'
import { endingOf, statusNow, type Row } from './each-quotation.ts'

interface EndingsProps {
  readonly told: readonly Told<Row>[]
  /** Those that had no turn, because it was ended early. */
  readonly left: number
  readonly doneText: (count: number) => string
}

/** How many were done, and of each other which it is and why: "11 rejected, 1 was decided meanwhile: Q-2026-17". */
export const Endings = ({ told, left, doneText }: EndingsProps) => {
  const { t } = useTranslation('bulk')
  const { t: words } = useTranslation('quotations')
  const by = Map.groupBy(told, endingOf)
  const numbers = (some: readonly Told<Row>[]): string => formatList(some.map(({ row }) => row.number))
  const { done = [], decided = [], changed = [], refused = [] } = Object.fromEntries(by)
  const parts = [
    doneText(done.length),
    ...(decided.length === 0 ? [] : [t('decided', { count: decided.length, numbers: numbers(decided) })]),
    ...(changed.length === 0 ? [] : [t('changed', { count: changed.length, numbers: numbers(changed) })]),
    ...(refused.length === 0 ? [] : [t('refused', { count: refused.length, numbers: numbers(refused) })]),
    ...(left === 0 ? [] : [t('left', { count: left })]),
  ]
  const others = told.filter(({ error }) => error !== undefined)
  const whyNot = (one: Told<Row>): string => {
    const ending = endingOf(one)
    if (ending === 'decided') return t('now', { status: words(`status.${statusNow(one)}`) })
    return ending === 'changed' ? t('changed_why') : (one.error?.message ?? '')
  }
  return (
    <>
      <p role="status">{parts.join(', ')}.</p>
      {others.length > 0 && (
        <table className="table">
          <tbody>
            {others.map((one) => (
              <tr key={one.row.id}>
                <td style={{ whiteSpace: 'nowrap' }}>
                  <Link to={`/quotations/${one.row.id}`}>{one.row.number}</Link>
                </td>
                <td>{whyNot(one)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}
