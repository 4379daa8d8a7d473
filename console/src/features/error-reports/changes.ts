import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import type { Body, Query, Schema } from '#api/types.ts'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import { offerUndo } from './undo.ts'

const resolvePath = '/api/v1/error_reports/resolve'
const reopenPath = '/api/v1/error_reports/reopen'

/** Which reports: some of them by id, or all that fit the filters of a list. */
export interface Which {
  readonly body?: Body<'post', typeof resolvePath>
  readonly query?: Query<'post', typeof resolvePath>
}

type Changed = Schema<'ErrorReportsChanged'>

/** Closes and reopens reports, one or many, each with its way back. Promises, so that the way back is offered also when the screen has gone on. */
export const useChangeReports = () => {
  const { t } = useTranslation('error-reports')
  const resolve = useSend('post', resolvePath)
  const reopen = useSend('post', reopenPath)
  const undoClose = (undo: number): void =>
    void reopen
      .mutateAsync({ body: { undo } })
      .then(({ count }) => void toastDone(t('reopened', { count })), toastFailed)
  const undoReopen = (undo: number): void =>
    void resolve
      .mutateAsync({ body: { undo } })
      .then(({ count }) => void toastDone(t('closed', { count })), toastFailed)
  const closed = ({ count, undo }: Changed, back?: () => void): void => {
    if (undo === null) return void toastDone(t('closed_none'))
    offerUndo(t('closed', { count }), () => {
      undoClose(undo)
      back?.()
    })
  }
  const reopened = ({ count, undo }: Changed): void => {
    if (undo === null) return void toastDone(t('reopened_none'))
    offerUndo(t('reopened', { count }), () => undoReopen(undo))
  }
  return {
    isPending: resolve.isPending || reopen.isPending,
    /** @param back where the screen goes when it is taken back */
    close: (which: Which, back?: () => void): void =>
      void resolve.mutateAsync(which).then((answer) => closed(answer, back), toastFailed),
    open: (which: Which): void => void reopen.mutateAsync(which).then(reopened, toastFailed),
    undoClose,
  }
}

const groupPath = '/api/v1/error_report_groups/{id}'
export type GroupChanges = NonNullable<Body<'patch', typeof groupPath>>

/** Changes state, assignee or note of a group, with the way back to what it was. */
export const useChangeGroup = (id: number) => {
  const { t } = useTranslation('error-reports')
  const change = useSend('patch', groupPath)
  const send = (changes: GroupChanges) => change.mutateAsync({ path: { id }, body: changes })
  return {
    isPending: change.isPending,
    change: (changes: GroupChanges, before: GroupChanges, text: string): void => {
      const undo = (): void => void send(before).then(() => void toastDone(t('as_before')), toastFailed)
      void send(changes).then(() => offerUndo(text, undo), toastFailed)
    },
  }
}
