import { contentTypes } from '#events/content-types.ts'

/** A kind of object as it is answered. */
export interface ContentTypeRecord {
  readonly id: number
  /** The part of the system that the kind belongs to. */
  readonly app_label: string
  readonly model: string
}

type Model = keyof typeof contentTypes

const labels: Partial<Record<Model, string>> = {
  package: 'order_management',
  shipment: 'order_management',
  transfer: 'order_management',
  stocklocation: 'order_management',
  webhook: 'app_center',
  project: 'app_center',
  deployment: 'app_center',
  distribution: 'app_center',
  flow: 'flows',
  flowrun: 'flows',
  delivery: 'webhooks',
  quotation: 'b2b',
  export: 'b2b',
  order: 'orders',
  orderitem: 'orders',
  cancellationrequest: 'orders',
  country: 'address',
  city: 'address',
  township: 'address',
  district: 'address',
  channel: 'channels',
  batchrequest: 'integrations',
  integrationaction: 'integrations',
}

/** Every kind of object that reports can speak of, by id. What has no other place belongs to the catalogue. */
export const contentTypeRecords: readonly ContentTypeRecord[] = Object.entries(contentTypes)
  .map(([model, id]) => ({
    id,
    app_label: labels[model as Model] ?? 'catalogs',
    model,
  }))
  .toSorted((a, b) => a.id - b.id)
