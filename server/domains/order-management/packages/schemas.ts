import { Type, type Static } from 'typebox'
import { PackageData } from '#events/order-management.ts'
import { makeRouteOptions } from '#platform/http/route-options.ts'
import { Body, errorResponses, Id, NotBlank, Nullable, OneOf, orNull, OptionalBody } from '#platform/http/schemas.ts'
import { Quantity, Sku } from '../request-fields.ts'
import { BlockedActions, writing, type ActionTexts } from '../routes.ts'
import { packageLifecycle, type PackageAction } from './lifecycle.ts'
import type { DocumentItem as Item } from '../stock-documents/index.ts'
import { dispositions, type Disposition } from './package.ts'

export const route = makeRouteOptions('Packages', errorResponses)
const maxItems = 1000

export const PackageShape = Type.Object(
  {
    ...PackageData.properties,
    quotation_order: Nullable({ ...Id, description: 'The order of a quotation that it is made of.' }),
    allowed_actions: Type.Array(OneOf(packageLifecycle.actions), {
      description: 'Path segments of what can be done now.',
    }),
    blocked_actions: BlockedActions,
  },
  { title: 'Package', description: 'What is sent of an order in one parcel, and what can be done with it.' },
)

const newPackage = Body(
  {
    order_number: Type.Optional(
      NotBlank(64, {
        description: 'Of an order of a quotation by default what the commerce platform calls it.',
        examples: ['O-1001'],
      }),
    ),
    quotation_order: Type.Optional(
      orNull({ ...Id, description: 'The order of a quotation that it is made of; created in the commerce platform.' }),
    ),
    stock_location: Type.Optional(orNull(Id)),
    items: Type.Optional(
      Type.Array(Type.Object({ sku: Sku, quantity: Quantity }, { additionalProperties: false }), {
        minItems: 1,
        maxItems,
        description: 'Of an order of a quotation by default all that is not in another package of it.',
      }),
    ),
  },
  ['id', 'number', 'status', 'shipment', 'created_date', 'modified_date', 'allowed_actions', 'blocked_actions'],
  {
    title: 'NewPackage',
    description: 'A package to plan.',
    examples: [
      { order_number: 'O-1001', items: [{ sku: 'CHAIR-OAK', quantity: 2 }] },
      { quotation_order: 7, stock_location: 1 },
    ],
  },
)

export type PackageToCreate = Omit<Static<typeof newPackage>, 'order_number' | 'items' | 'quotation_order'> &
  (
    | { readonly quotation_order: number; readonly order_number?: string; readonly items?: Item[] }
    | { readonly quotation_order?: null; readonly order_number: string; readonly items: Item[] }
  )

/** What is made of no order says itself what it is. */
const NewPackage = Type.Unsafe<PackageToCreate>({
  ...newPackage,
  if: { required: ['quotation_order'], properties: { quotation_order: { not: { type: 'null' } } } },
  else: { required: ['order_number', 'items'] },
})

export const createOptions = route(
  writing(
    'createPackage',
    'Create a package',
    'Plans a package of skus that some stock location has had. `stock_location` is where it is planned to go; its stock is allocated ' +
      'when the package is transitioned. With `quotation_order`, for which a key needs the scope quotations:read, it is of that order, ' +
      'and its products are the skus: of all that is not in packages of the order that are not cancelled, or of the `items` of that.',
  ),
  { body: NewPackage, response: { 201: PackageShape } },
)

/** The body of an action. */
export interface ActionBody {
  stock_location?: number
  disposition?: Disposition
}

export const actionTexts: Record<PackageAction, ActionTexts<ActionBody>> = {
  transition: {
    summary: 'Hand a package to a stock location, which allocates its stock there; again to re-route it',
    body: OptionalBody({ stock_location: Type.Optional(Id) }, { examples: [{ stock_location: 1 }] }),
  },
  pack: { summary: 'Pack a package' },
  ship: { summary: 'Ship a package, and its shipment with it' },
  cancel: {
    summary: 'Cancel a package, and its shipment with it',
    body: OptionalBody(
      { disposition: Type.Optional(OneOf(dispositions)) },
      { examples: [{ disposition: dispositions[0] }] },
    ),
  },
  'pack-for-refund': { summary: 'Pack a package for refund' },
}
