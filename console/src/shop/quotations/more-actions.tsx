import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#api/api-error.ts'
import { call } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { useGo } from '#ui/go.ts'
import { Button } from '../parts/button.tsx'
import { Sheet, SheetEnds } from '../parts/sheet.tsx'
import { Refused } from '../parts/states.tsx'
import { basket } from '../queries.ts'
import { settled, useOff } from './off.ts'
import type { Detail } from './queries.ts'
import type { Part } from './turn.ts'
import classes from './quotations.module.css'

interface MoreActionsProps {
  readonly quotation: Detail
  readonly part: Part
  readonly onNo: (action: 'reject' | 'cancel') => void
}

/** What stands here of the actions that end something: not what stands at the lower edge, nor what one sentence says of one that is settled. */
const shownActions = (
  { status, allowed_actions: allowed }: Detail,
  part: Part,
): readonly ('approve' | 'reject' | 'cancel')[] => {
  if (settled.has(status)) return []
  const isTurn = status === 'sending_approval_request' || allowed.includes('approve-pending-request')
  const isOwner = part === 'owner'
  return [
    ...(isOwner && !isTurn ? (['approve'] as const) : []),
    ...(isTurn && (isOwner || status === 'request_approval') ? [] : (['reject'] as const)),
    ...(isOwner ? (['cancel'] as const) : []),
  ]
}

/** What else can be done; what cannot says why. */
export const MoreActions = ({ quotation, part, onNo }: MoreActionsProps) => {
  const { t } = useTranslation('shop')
  const off = useOff(quotation)
  const { status } = quotation
  const shown = shownActions(quotation, part)
  return (
    <section className={classes['section']} aria-labelledby="more-title" data-screen-only>
      <h2 id="more-title">{t('more_actions')}</h2>
      {settled.has(status) && <p className="muted">{t(`off.${status}`)}</p>}
      <div className={classes['more']}>
        {shown.includes('approve') && <Button off={off('approve')}>{t('decide.approve_plain')}</Button>}
        {(['reject', 'cancel'] as const).map(
          (action) =>
            shown.includes(action) && (
              <Button key={action} off={off(action)} onClick={() => onNo(action)}>
                {t(`decide.${action}`)}
              </Button>
            ),
        )}
        {part === 'owner' && <Duplicate quotation={quotation} off={off('duplicate')} />}
        <Button onClick={() => window.print()}>{t('print')}</Button>
      </div>
    </section>
  )
}

/** Fills the basket with the same once more, at the prices of today. */
const Duplicate = ({
  quotation: { id },
  off,
}: Pick<MoreActionsProps, 'quotation'> & { readonly off: string | undefined }) => {
  const { t } = useTranslation('shop')
  const queries = useQueryClient()
  const go = useGo()
  const [isAsked, setIsAsked] = useState(false)
  const inBasket = useQuery(basket).data?.basket_items.length ?? 0
  const { mutate, error, isPending } = useMutation<Schema<'Basket'>, ApiError>({
    mutationFn: () => call('post', '/api/v1/my-quotations/{id}/duplicate', { path: { id }, body: {} }),
    onSuccess: (filled) => {
      queries.setQueryData(basket.queryKey, filled)
      go.push('/shop/basket')
    },
  })
  const close = (): void => setIsAsked(false)
  return (
    <>
      <Button off={off} isBusy={isPending} onClick={() => (inBasket === 0 ? mutate() : setIsAsked(true))}>
        {t('duplicate.open')}
      </Button>
      <Refused error={error} />
      {isAsked && (
        <Sheet title={t('duplicate.title')} onClose={close}>
          <p>{t('duplicate.why', { count: inBasket })}</p>
          <SheetEnds onClose={close}>
            <Button
              kind="main"
              onClick={() => {
                close()
                mutate()
              }}
            >
              {t('duplicate.submit')}
            </Button>
          </SheetEnds>
        </Sheet>
      )}
    </>
  )
}
