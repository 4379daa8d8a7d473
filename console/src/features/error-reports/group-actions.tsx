import { Menu } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMe } from '#api/session.ts'
import type { Schema } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { formatNumber } from '#ui/texts/format.ts'
import { ActOnAll, type What } from './act-on-all.tsx'
import { useChangeGroup } from './changes.ts'
import { useNames } from './names.ts'
import { useWhyNoRetry } from './retry-all.ts'
import { placeTypeOf } from './sentence.ts'
import { useKey } from './use-key.ts'

type Group = Schema<'ErrorReportGroup'>

/** What one can do with a group: who looks into it, all of it closed or tried again, or not to hear of it any more. */
export const GroupActions = ({ group }: { readonly group: Group }) => {
  const { t } = useTranslation('error-reports')
  const [what, setWhat] = useState<What>()
  const [jobTotal, setJobTotal] = useState<number>()
  const names = useNames()
  // Of a place, mapping it is the next thing to do.
  const isPlace = placeTypeOf(names.modelOf(group.action_content_type)) !== undefined
  // Failures of this server itself are about no channel; all others only their reporters can try again.
  const isOurs = group.channel === null
  const off = group.open_count === 0 ? t('off.no_open') : undefined
  const offRetry = useWhyNoRetry(group, t)
  useKey('E', 'error-reports:keys.close_all', off, () => setWhat('close'))
  useKey('R', 'error-reports:keys.retry_all', offRetry, () => setWhat('retry'))
  return (
    <>
      <Assign group={group} />
      <States group={group} />
      <Action off={offRetry} main={isOurs} onClick={() => setWhat('retry')} keyShortcut="R">
        {t('retry_all', { count: group.open_count })}
      </Action>
      <Action off={off} main={!isPlace && !isOurs} onClick={() => setWhat('close')} keyShortcut="E">
        {t('close_all', { count: group.open_count })}
      </Action>
      {what !== undefined && <ActOnAll group={group} what={what} done={() => setWhat(undefined)} onJob={setJobTotal} />}
      {jobTotal !== undefined && <Closing total={jobTotal} left={group.open_count} />}
    </>
  )
}

/** How far the job is that closes many. The server says after each step how many are left. */
const Closing = ({ total, left }: { readonly total: number; readonly left: number }) => {
  const { t } = useTranslation('error-reports')
  if (left === 0) return null
  const done = Math.max(0, total - left)
  return (
    <label className="flex small muted">
      <progress max={total} value={done} />
      {t('closing_now', { done: formatNumber(done), count: total })}
    </label>
  )
}

const Assign = ({ group }: { readonly group: Group }) => {
  const { t } = useTranslation('error-reports')
  const me = useMe()
  const names = useNames()
  const { change, isPending } = useChangeGroup(group.id)
  const give = (assignee: number | null): void =>
    change(
      { assignee },
      { assignee: group.assignee },
      assignee === null ? t('assigned_nobody') : t('assigned', { name: names.person(assignee) }),
    )
  const isMine = group.assignee === me.id
  useKey('a', 'error-reports:keys.assign', isMine ? t('off.mine') : undefined, () => give(me.id))
  const others = names.choices.people.filter(({ value }) => value !== String(me.id))
  return (
    <>
      {!isMine && (
        <Action loading={isPending} onClick={() => give(me.id)} keyShortcut="a">
          {t('assign_to_me')}
        </Action>
      )}
      {(others.length > 0 || group.assignee !== null) && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Action>
              {group.assignee === null ? t('assign') : t('with', { name: names.person(group.assignee) })} ▾
            </Action>
          </Menu.Target>
          <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
            {group.assignee !== null && <Menu.Item onClick={() => give(null)}>{t('nobody')}</Menu.Item>}
            {others.map((one) => (
              <Menu.Item key={one.value} onClick={() => give(Number(one.value))}>
                {'name' in one && one.name}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  )
}

/** Open, closed or ignored: the group itself, not its reports. */
const States = ({ group: { id, state } }: { readonly group: Group }) => {
  const { t } = useTranslation('error-reports')
  const { change, isPending } = useChangeGroup(id)
  const set = (next: Group['state']): void => change({ state: next }, { state }, t(`became.${next}`))
  const other = state === 'open' ? 'ignored' : 'open'
  useKey('i', 'error-reports:keys.ignore', undefined, () => set(other))
  return state === 'open' ? (
    <Action loading={isPending} onClick={() => set('ignored')} keyShortcut="i">
      {t('ignore')}
    </Action>
  ) : (
    <Action loading={isPending} onClick={() => set('open')} keyShortcut="i">
      {t('reopen')}
    </Action>
  )
}
