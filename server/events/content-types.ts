/**
 * Kinds of objects that events and error reports speak of, with the ids the outside knows them by.
 * The ids are public and the same in every installation (contract, section 6): never change or reuse one.
 */
export const contentTypes = {
  package: 1,
  shipment: 2,
  transfer: 3,
  stocklocation: 4,
  webhook: 5,
} as const

export type ContentType = keyof typeof contentTypes
