import { Popover } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { useMe } from '#api/session.ts'
import { users } from '#parts/records.ts'
import { RecordEditor } from '#ui/list/record-editor.tsx'
import { toastDone } from '#ui/toast.tsx'
import { useDraftHere } from '../draft/use-draft.ts'
import { versionOf } from '../quotation.ts'
import { useToldStale } from '../use-told-stale.ts'
import { nameOf } from '../words.ts'
import classes from '../workspace.module.css'

/** Who works on it; one takes it oneself, and whoever may read users gives it to somebody. */
export const Assignee = () => {
  const { t } = useTranslation('quotations')
  const me = useMe()
  const { quotation } = useDraftHere()
  const [isOpen, { toggle, close }] = useDisclosure()
  const sending = useSend('patch', '/api/v1/quotations/{id}')
  const toldStale = useToldStale()
  const { id, assignee, allowed_actions: allowed } = quotation
  const give = (to: number): void => {
    close()
    sending.mutate(
      { path: { id }, ifMatch: versionOf(quotation), body: { assignee: to } },
      { onSuccess: () => void toastDone(t('assignee.done')), onError: toldStale },
    )
  }
  const mayChange = allowed.includes('assign')
  return (
    <section className="card">
      <div className={`head ${classes['alone']}`}>
        <h2>{t('field.assignee')}</h2>
        <span className="flex">
          <span className={assignee === null ? 'muted' : undefined}>
            {assignee === null ? t('assignee.nobody') : nameOf(assignee)}
          </span>
          {mayChange && assignee?.id !== me.id && (
            <button type="button" className={classes['quiet']} onClick={() => give(me.id)}>
              {t('assignee.take')}
            </button>
          )}
          {mayChange && me.is_superuser && (
            <Popover opened={isOpen} onChange={close} trapFocus withinPortal>
              <Popover.Target>
                <button type="button" className={classes['quiet']} onClick={toggle}>
                  {t('assignee.give')}
                </button>
              </Popover.Target>
              <Popover.Dropdown>
                <RecordEditor label={t('assignee.to')} records={users} choose={(to) => give(Number(to))} />
              </Popover.Dropdown>
            </Popover>
          )}
        </span>
      </div>
    </section>
  )
}
