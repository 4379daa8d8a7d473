import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { GoAction } from '#ui/go-action.tsx'
import { CancelDialog } from '#parts/fulfilment/cancel-dialog.tsx'
import { piecesOf } from '#parts/fulfilment/items.ts'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import { HandOver } from './hand-over.tsx'
import type { Package } from './package-list.tsx'

interface PackageProps {
  readonly parcel: Package
}

type Step = Package['allowed_actions'][number]
/** Of what is allowed, the first of these is the next thing to do. */
const nextSteps: readonly Step[] = ['ship', 'pack', 'transition']
const takesShipment: readonly Package['status'][] = ['created', 'transitioned', 'packed']

/** What one can do with a package: the next step first; what is not allowed says why. */
export const PackageActions = ({ parcel }: PackageProps) => {
  const next = nextSteps.find((step) => parcel.allowed_actions.includes(step))
  return (
    <>
      <Transition parcel={parcel} isNext={next === 'transition'} />
      <Move action="pack" parcel={parcel} isNext={next === 'pack'} />
      <CreateShipment parcel={parcel} />
      <Move action="ship" parcel={parcel} isNext={next === 'ship'} />
      <Move action="pack-for-refund" parcel={parcel} isNext={false} />
      <Cancel parcel={parcel} />
    </>
  )
}

interface StepProps extends PackageProps {
  readonly isNext: boolean
}

const Move = ({ action, parcel, isNext }: StepProps & { readonly action: 'pack' | 'ship' | 'pack-for-refund' }) => {
  const { t } = useTranslation('packages')
  const move = useSend('post', `/api/v1/packages/{id}/${action}`)
  return (
    <Action
      main={isNext}
      off={parcel.blocked_actions[action]}
      loading={move.isPending}
      onClick={() =>
        move.mutate(
          { path: { id: parcel.id } },
          { onSuccess: () => toastDone(t(`done.${action}`)), onError: toastFailed },
        )
      }
    >
      {t(`action.${action}`, { count: piecesOf(parcel.items) })}
    </Action>
  )
}

const Transition = ({ parcel, isNext }: StepProps) => {
  const { t } = useTranslation('packages')
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <Action main={isNext} off={parcel.blocked_actions['transition']} onClick={open}>
        {t(parcel.status === 'transitioned' ? 'action.again' : 'action.transition')}
      </Action>
      {isOpen && <HandOver parcel={parcel} close={close} />}
    </>
  )
}

/** A package that has none yet gets its shipment here; without one it cannot leave. */
const CreateShipment = ({ parcel: { id, status, shipment } }: PackageProps) => {
  const { t } = useTranslation('packages')
  if (shipment !== null || !takesShipment.includes(status)) return null
  return (
    <GoAction main={status === 'packed'} to={`/shipments/new?package=${id}`}>
      {t('action.shipment')}
    </GoAction>
  )
}

const Cancel = ({ parcel }: PackageProps) => {
  const { t } = useTranslation('packages')
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <Action off={parcel.blocked_actions['cancel']} onClick={open}>
        {t('action.cancel')}
      </Action>
      {isOpen && (
        <CancelDialog
          kind="packages"
          row={parcel}
          dispositions={parcel.status === 'packed_for_refund' ? ['restock', 'write_off'] : []}
          close={close}
        />
      )}
    </>
  )
}
