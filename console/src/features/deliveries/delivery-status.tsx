import { useTranslation } from 'react-i18next'
import { Status } from '#ui/status.tsx'
import { codeOf, outcomes, stageOf, type Delivery } from './outcome.ts'

/** "Retrying · 503": shape, word and code. */
export const DeliveryStatus = ({ delivery }: { readonly delivery: Delivery }) => {
  const { t } = useTranslation('deliveries')
  const { t: common } = useTranslation('delivery')
  const stage = stageOf(delivery)
  const code = codeOf(delivery, common)
  return (
    <Status outcome={outcomes[stage]}>
      {t(`stage.${stage}`)}
      {code !== '' && ` · ${code}`}
    </Status>
  )
}
