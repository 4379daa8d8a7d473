import { invalidField } from '#platform/errors.ts'
import { refuseBlank } from '../request-fields.ts'
import type { ShipmentFields } from './shipment.ts'

/** @throws AppError 400 for blank texts, and for a tracking URL that is none. */
export const refuseBadFields = ({ carrier, awbNumber, trackingUrl }: Partial<ShipmentFields>): void => {
  refuseBlank({ carrier, awb_number: awbNumber })
  if (trackingUrl === undefined || trackingUrl === null) return
  // Shown as a link, so it must not be able to carry a script.
  if (!/^https?:\/\//i.test(trackingUrl) || !URL.canParse(trackingUrl)) {
    throw invalidField('tracking_url', 'Expected an http or https URL.')
  }
}
