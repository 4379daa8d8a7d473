import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import { EditLocation } from './edit-location.tsx'
import type { StockLocation } from './location-list.tsx'

interface LocationActionsProps {
  readonly location: StockLocation
  readonly adjust: () => void
}

/** What one can do with a location; to deactivate it can be undone, so nothing asks first. */
export const LocationActions = ({ location, adjust }: LocationActionsProps) => {
  const { t } = useTranslation('stock-locations')
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <SwitchOnOff location={location} />
      <Action onClick={open}>{t('edit.open')}</Action>
      <Action main onClick={adjust}>
        {t('adjust.open')}
      </Action>
      {isOpen && <EditLocation location={location} close={close} />}
    </>
  )
}

const SwitchOnOff = ({ location: { id, code, is_active: isActive } }: Pick<LocationActionsProps, 'location'>) => {
  const { t } = useTranslation('stock-locations')
  const sending = useSend('patch', '/api/v1/stock_locations/{id}')
  const set = (next: boolean, done: () => void): void =>
    sending.mutate({ path: { id }, body: { is_active: next } }, { onSuccess: done, onError: toastFailed })
  const turn = (): void =>
    set(!isActive, () =>
      toastDone(t(isActive ? 'switch.is_off' : 'switch.is_on', { code }), () => set(isActive, () => undefined)),
    )
  return (
    <Action loading={sending.isPending} onClick={turn}>
      {t(isActive ? 'switch.off' : 'switch.on')}
    </Action>
  )
}
