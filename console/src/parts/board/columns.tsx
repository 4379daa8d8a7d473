import { UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListPath } from '#api/types.ts'
import { useRowKeys } from '#ui/list/use-row-keys.ts'
import type { AnyList } from '#ui/list/use-list.ts'
import { Failed } from '#ui/states.tsx'
import { formatNumber } from '#ui/texts/format.ts'
import { countsOf, shownStatuses, type BoardDefinition, type BoardStatus } from './board.ts'
import { BoardColumn } from './board-column.tsx'
import classes from './board.module.css'

type Counts = Readonly<Record<string, number>>
type Address = Pick<AnyList, 'search' | 'change' | 'matching' | 'active'>

interface ColumnsProps<P extends ListPath> {
  readonly board: BoardDefinition<P>
  readonly list: Address
  readonly empty: ReactNode
}

/** A column for each status; on a phone one of them, and tabs. */
export const Columns = <P extends ListPath>({ board, list, empty }: ColumnsProps<P>) => {
  const { t } = useTranslation(board.list.texts)
  const { data, error, refetch } = useQuery(countsOf(board.counts, list.matching))
  const counts: Counts = data ?? {}
  const isPhone = useMediaQuery('(max-width: 700px)', undefined, { getInitialValueInEffect: false })
  const statuses = shownStatuses(board, list.search)
  useRowKeys()
  if (error !== null && data === undefined) return <Failed error={error} retry={() => void refetch()} />
  const isEmpty = data !== undefined && Object.values(counts).every((count) => count === 0)
  if (isEmpty && list.active.length === 0) return empty
  const chosen = statuses.find(({ value }) => value === list.search['column']) ?? statuses[0]
  const shown = isPhone && chosen !== undefined ? [chosen] : statuses
  return (
    <>
      {isPhone && <Tabs texts={board.list.texts} statuses={statuses} chosen={chosen} counts={counts} list={list} />}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- What scrolls has to be reached by keyboard. */}
      <div className={classes['board']} role="group" tabIndex={0} aria-label={t('title')}>
        {shown.map((status) => (
          <BoardColumn key={status.value} board={board} status={status} count={counts[status.value]} list={list} />
        ))}
      </div>
    </>
  )
}

interface TabsProps {
  readonly texts: string
  readonly statuses: readonly BoardStatus[]
  readonly chosen: BoardStatus | undefined
  readonly counts: Counts
  readonly list: Address
}

const Tabs = ({ texts, statuses, chosen, counts, list }: TabsProps) => {
  const { t } = useTranslation(texts)
  return (
    <div role="group" aria-label={t('field.status')} className={classes['tabs']}>
      {statuses.map((status) => (
        <UnstyledButton
          key={status.value}
          aria-pressed={status === chosen}
          onClick={() => list.change({ column: status.value }, { replace: true })}
        >
          {t(`status.${status.value}`)} <b>{formatNumber(counts[status.value] ?? 0)}</b>
        </UnstyledButton>
      ))}
    </div>
  )
}
