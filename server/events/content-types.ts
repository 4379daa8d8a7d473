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
  project: 6,
  deployment: 7,
  distribution: 8,
  flow: 9,
  channel: 10,
  catalog: 11,
  product: 12,
  order: 13,
  orderitem: 14,
  batchrequest: 15,
  productprice: 16,
  productstock: 17,
  integrationaction: 18,
  productimage: 19,
  categorytree: 20,
  categorynode: 21,
  productcategory: 22,
  cancellationrequest: 23,
  country: 24,
  city: 25,
  township: 26,
  district: 27,
  marketplace: 28,
  delivery: 29,
  flowrun: 30,
  quotation: 31,
  export: 32,
  marketplaceattributeset: 33,
  marketplaceattributesetconfig: 34,
  marketplaceattribute: 35,
  marketplaceattributeschema: 36,
  marketplaceattributevalue: 37,
  marketplaceattributevalueconfig: 38,
} as const

export type ContentType = keyof typeof contentTypes

/** The id of a kind of object by its name; undefined for one that there is not. */
export const contentTypeId = (name: string): number | undefined =>
  Object.hasOwn(contentTypes, name) ? contentTypes[name as ContentType] : undefined

const names = new Map<number, string>(Object.entries(contentTypes).map(([name, id]) => [id, name]))
/** The name of a kind of object by its id; undefined for one that there is not. */
export const contentTypeName = (id: number): string | undefined => names.get(id)
