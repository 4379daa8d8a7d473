import { useTranslation } from 'react-i18next'
import type { Schema } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { useChangeReports } from './changes.ts'

interface ChangeChosenProps {
  readonly rows: readonly Schema<'ErrorReport'>[]
  readonly done: () => void
}

/** What can be done with those that are chosen, by how many of them are open. */
export const ChangeChosen = ({ rows, done }: ChangeChosenProps) => {
  const { t } = useTranslation('error-reports')
  const { close, open, isPending } = useChangeReports()
  const idsOf = (isOk: boolean): number[] => rows.filter((one) => one.is_ok === isOk).map(({ id }) => id)
  const [opened, closed] = [idsOf(false), idsOf(true)]
  if (rows.length === 0) return null
  return (
    <span className="flex">
      {opened.length > 0 && (
        <Action
          loading={isPending}
          onClick={() => {
            close({ body: { ids: opened } })
            done()
          }}
        >
          {t('close_some', { count: opened.length })}
        </Action>
      )}
      {closed.length > 0 && (
        <Action
          loading={isPending}
          onClick={() => {
            open({ body: { ids: closed } })
            done()
          }}
        >
          {t('reopen_some', { count: closed.length })}
        </Action>
      )}
    </span>
  )
}
