import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMe } from '#api/session.ts'
import { Action } from '#ui/action.tsx'
import { GoAction } from '#ui/go-action.tsx'
import { stringifySearch } from '#ui/list/search-text.ts'
import { AssignSome } from './assign-some.tsx'
import type { Row } from './each-quotation.ts'
import { RejectSome } from './reject-some.tsx'

interface ChosenActionsProps {
  readonly rows: readonly Row[]
  /** Nothing is chosen any more. */
  readonly done: () => void
}

/** What can be done with the quotations that are chosen, by how many they are. */
export const ChosenActions = ({ rows, done }: ChosenActionsProps) => {
  const { t } = useTranslation('bulk')
  const me = useMe()
  const [asked, ask] = useState<{ readonly what: 'reject' | 'assign'; readonly rows: readonly Row[] }>()
  const close = (): void => {
    ask(undefined)
    done()
  }
  const count = rows.length
  return (
    <>
      <span className="flex" style={{ minHeight: 'var(--control)' }}>
        {count > 0 && (
          <>
            <Action
              off={me.is_superuser ? undefined : t('off.role')}
              onClick={() => ask({ what: 'reject', rows: [...rows] })}
            >
              {t('reject_some', { count })}
            </Action>
            <Action onClick={() => ask({ what: 'assign', rows: [...rows] })}>{t('assign_some', { count })}</Action>
            <GoAction to={`/exports/new${stringifySearch({ number: rows.map(({ number }) => number) })}`}>
              {t('export_some', { count })}
            </GoAction>
          </>
        )}
      </span>
      {asked?.what === 'reject' && <RejectSome rows={asked.rows} close={close} />}
      {asked?.what === 'assign' && <AssignSome rows={asked.rows} close={close} />}
    </>
  )
}
