import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { ListPath, RowOf } from '#api/types.ts'
import { Link } from '#ui/link.tsx'
import type { AnyList } from '#ui/list/use-list.ts'
import { Since } from '#ui/since.tsx'
import { Failed, Skeleton } from '#ui/states.tsx'
import { Status } from '#ui/status.tsx'
import { formatNumber } from '#ui/texts/format.ts'
import { columnOf, type BoardDefinition, type BoardStatus, type CardFacts } from './board.ts'
import classes from './board.module.css'

interface BoardColumnProps<P extends ListPath> {
  readonly board: BoardDefinition<P>
  readonly status: BoardStatus
  readonly count: number | undefined
  readonly list: Pick<AnyList, 'search' | 'change'>
}

/** The newest rows of a status, and the way to all of them. */
export const BoardColumn = <P extends ListPath>({ board, status, count, list }: BoardColumnProps<P>) => {
  const { t } = useTranslation(board.list.texts)
  const { t: own } = useTranslation('board')
  const { data, error, refetch } = useQuery(columnOf(board, list.search, status.value))
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const name = t(`status.${status.value}`)
  const rows: readonly RowOf<P>[] = data?.rows ?? []
  const rest = (count ?? 0) - rows.length
  return (
    <section className={classes['column']} aria-label={name}>
      <h2>
        <Status outcome={status.outcome}>{name}</Status>
        <span className="num">{count === undefined ? '' : formatNumber(count)}</span>
      </h2>
      {error !== null && data === undefined && <Failed error={error} retry={() => void refetch()} />}
      {error === null && data === undefined && <Skeleton lines={12} width="100%" />}
      {data !== undefined && rows.length === 0 && <p className="muted small">{own('none')}</p>}
      <ul>
        {rows.map((row) => (
          <li key={board.rowTo(row)}>
            <Card to={board.rowTo(row)} facts={board.card(row)} isOpen={board.rowTo(row) === path} />
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <button
          type="button"
          className={classes['rest']}
          onClick={() => list.change({ view: 'list', status: status.value, column: undefined })}
        >
          {own('rest', { count: rest })}
        </button>
      )}
    </section>
  )
}

const Card = ({ to, facts, isOpen }: { readonly to: string; readonly facts: CardFacts; readonly isOpen: boolean }) => (
  <Link to={to} keepSearch className={classes['card']} data-row-link={to} data-open={isOpen || undefined}>
    <span className="strong cut">{facts.number}</span>
    <span className="flex between muted small">
      <span className="cut">{facts.about}</span>
      <span className={classes['since']}>
        <Since at={facts.since} />
      </span>
    </span>
    <span className={classes['what']}>{facts.what}</span>
    {facts.where !== undefined && <span className="muted small cut">{facts.where}</span>}
  </Link>
)
