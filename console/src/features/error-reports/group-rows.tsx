import { useTranslation } from 'react-i18next'
import { Action } from '#ui/action.tsx'
import { Empty, Failed, Skeleton } from '#ui/states.tsx'
import { tabOf, toGroup, type GroupList } from './group-list.ts'
import { GroupRow } from './group-row.tsx'
import type { useLiveGroups } from './live-groups.ts'
import type { useNames } from './names.ts'
import { useGroupKeys } from './use-group-keys.ts'

interface GroupRowsProps {
  readonly list: GroupList
  readonly names: ReturnType<typeof useNames>
  readonly open: string | undefined
  readonly liveOf: ReturnType<typeof useLiveGroups>['liveOf']
}

/** The groups in all states of their list; `open` is the one on the right. */
export const GroupRows = ({ list, names, open, liveOf }: GroupRowsProps) => {
  const { result } = list
  const rows = result.data?.rows ?? []
  useGroupKeys(rows, open, list.search)
  if (result.error !== null && result.data === undefined)
    return <Failed error={result.error} retry={() => void result.refetch()} />
  if (result.data === undefined) return <LoadingRows />
  return (
    <>
      {rows.length === 0 && <NoGroups list={list} />}
      {rows.map((group) => (
        <GroupRow
          key={group.id}
          group={group}
          live={liveOf(group.id)}
          names={names}
          to={toGroup(group.id, list.search)}
          isOpen={String(group.id) === open}
        />
      ))}
    </>
  )
}

const LoadingRows = () => (
  <div style={{ padding: '10px 16px' }}>
    <Skeleton lines={18} width="100%" />
  </div>
)

const NoGroups = ({ list }: { readonly list: GroupList }) => {
  const { t } = useTranslation('error-reports')
  const { t: common } = useTranslation('texts')
  if (list.active.length > 0)
    return (
      <Empty title={common('list.no_match')} action={<Action onClick={list.clear}>{common('list.clear')}</Action>} />
    )
  const tab = tabOf(list.search)
  return <Empty title={t(`empty.${tab}`)}>{t(`empty_why.${tab}`)}</Empty>
}
