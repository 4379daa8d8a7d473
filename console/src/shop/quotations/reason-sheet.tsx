import { useTranslation } from 'react-i18next'
import { useMe } from '#api/session.ts'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import { Sheet, SheetEnds } from '../parts/sheet.tsx'
import { Refused } from '../parts/states.tsx'
import { useKept } from '../parts/use-kept.ts'
import type { Quotation } from './queries.ts'
import { partOf } from './turn.ts'
import type { useDecision } from './use-decision.ts'

interface ReasonSheetProps {
  readonly action: 'reject' | 'cancel'
  readonly quotation: Pick<Quotation, 'id' | 'name' | 'user'>
  readonly decision: Pick<ReturnType<typeof useDecision>, 'decide' | 'error' | 'tried' | 'pending'>
  readonly onClose: () => void
}

/** Why somebody says no, before they do: all who see the quotation read it. */
export const ReasonSheet = ({ action, quotation, decision, onClose }: ReasonSheetProps) => {
  const { t } = useTranslation('shop')
  const part = partOf(quotation, useMe())
  const { id, name } = quotation
  const [reason, setReason, forget] = useKept(`${action} ${id}`)
  return (
    <Sheet title={t(`${action}.title`, { name })} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          forget()
          decision.decide({ action, reason }, { onError: () => setReason(reason) })
        }}
      >
        <p>{t(action === 'cancel' ? 'cancel.why' : `reject.why_${part}`)}</p>
        <TextField
          label={t('reason.label')}
          hint={t('reason.hint')}
          maxLength={2000}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
        {decision.tried === action && <Refused error={decision.error} />}
        <SheetEnds onClose={onClose}>
          <Button kind="bad" type="submit" isBusy={decision.pending === action}>
            {t(`${action}.submit`)}
          </Button>
        </SheetEnds>
      </form>
    </Sheet>
  )
}
