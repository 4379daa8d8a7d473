import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import { EditShipment } from './edit-shipment.tsx'
import type { Shipment } from './shipment-list.tsx'

interface ShipmentProps {
  readonly shipment: Shipment
}

/** What can become of a shipment, as the API says it, and its carrier and number. */
export const ShipmentActions = ({ shipment }: ShipmentProps) => {
  const next = shipment.allowed_statuses.filter((status) => status !== 'cancelled')
  return (
    <>
      {next.map((status, index) => (
        <Become key={status} shipment={shipment} status={status} isNext={index === 0} />
      ))}
      <Edit shipment={shipment} />
      <Cancel shipment={shipment} />
    </>
  )
}

interface BecomeProps extends ShipmentProps {
  readonly status: Shipment['status']
  readonly isNext: boolean
}

const Become = ({ shipment: { id }, status, isNext }: BecomeProps) => {
  const { t } = useTranslation('shipments')
  const sending = useSend('patch', '/api/v1/shipments/{id}')
  return (
    <Action
      main={isNext}
      loading={sending.isPending}
      onClick={() =>
        sending.mutate(
          { path: { id }, body: { status } },
          { onSuccess: () => toastDone(t('done', { status: t(`status.${status}`) })), onError: toastFailed },
        )
      }
    >
      {t(`action.${status}`)}
    </Action>
  )
}

const Cancel = ({ shipment: { id, blocked_actions: blocked } }: ShipmentProps) => {
  const { t } = useTranslation('shipments')
  const sending = useSend('post', '/api/v1/shipments/{id}/cancel')
  return (
    <Action
      off={blocked['cancel']}
      loading={sending.isPending}
      onClick={() =>
        sending.mutate(
          { path: { id } },
          { onSuccess: () => toastDone(t('done', { status: t('status.cancelled') })), onError: toastFailed },
        )
      }
    >
      {t('action.cancelled')}
    </Action>
  )
}

const Edit = ({ shipment }: ShipmentProps) => {
  const { t } = useTranslation('shipments')
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <Action onClick={open}>{t('action.edit')}</Action>
      {isOpen && <EditShipment shipment={shipment} close={close} />}
    </>
  )
}
