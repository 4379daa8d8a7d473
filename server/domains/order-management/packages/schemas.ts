import { Type, type TUnsafe } from 'typebox'
import { PackageData } from '#events/order-management.ts'
import { orderingQuery, pageQuery } from '#platform/http/pagination.ts'
import { Body, errorResponses, Id, IdParams, Nullable, OneOf, Timestamp } from '#platform/http/schemas.ts'
import { createdDateQuery, OptionalBody, orNull, Quantity, Sku } from '../request-fields.ts'
import { describeAction } from '../state-table.ts'
import { dispositions, type Disposition } from './stock-steps.ts'
import { packageOrderings } from './list-store.ts'
import { packageActions, packageStatuses, packageTransitions, type PackageAction } from './transitions.ts'

const tags = ['Packages']
const maxItems = 1000

const PackageShape = Type.Object(
  {
    ...PackageData.properties,
    allowed_actions: Type.Array(OneOf(packageActions), { description: 'Path segments of what can be done now.' }),
  },
  { title: 'Package' },
)

const NewPackage = Body(
  {
    order_number: Type.String({ minLength: 1, maxLength: 64, examples: ['O-1001'] }),
    stock_location: Type.Optional(orNull(Id)),
    items: Type.Array(Type.Object({ sku: Sku, quantity: Quantity }, { additionalProperties: false }), {
      minItems: 1,
      maxItems,
    }),
  },
  ['id', 'number', 'status', 'shipment', 'created_date', 'modified_date', 'allowed_actions'],
  { title: 'NewPackage', examples: [{ order_number: 'O-1001', items: [{ sku: 'CHAIR-OAK', quantity: 2 }] }] },
)

export const listSchema = {
  tags,
  summary: 'List packages',
  operationId: 'listPackages',
  querystring: Type.Object({
    ...pageQuery(),
    ...orderingQuery(packageOrderings),
    ...createdDateQuery,
    status: Type.Optional(Type.Array(OneOf(packageStatuses))),
    number: Type.Optional(Type.String()),
    order_number: Type.Optional(Type.String()),
    stock_location: Type.Optional(Id),
    sku: Type.Optional(Type.String()),
  }),
  response: { 200: Type.Array(PackageShape), ...errorResponses },
}

export const createSchema = {
  tags,
  summary: 'Create a package',
  description:
    'Plans a package of skus that some stock location has had. `stock_location` is where it is planned to go; its stock is allocated when the package is transitioned.',
  operationId: 'createPackage',
  body: NewPackage,
  response: { 201: PackageShape, ...errorResponses },
}

export const getSchema = {
  tags,
  summary: 'Read a package',
  operationId: 'getPackage',
  params: IdParams,
  response: { 200: PackageShape, ...errorResponses },
}

export const historySchema = {
  tags,
  summary: 'List the changes of a package, oldest first',
  operationId: 'listPackageHistory',
  params: IdParams,
  querystring: Type.Object(pageQuery()),
  response: {
    200: Type.Array(
      Type.Object({
        action: OneOf(['create', ...packageActions]),
        from_status: Nullable(OneOf(packageStatuses)),
        to_status: OneOf(packageStatuses),
        stock_location: Nullable(Id),
        actor: Id,
        created_date: Timestamp,
      }),
    ),
    ...errorResponses,
  },
}

interface ActionBody {
  stock_location?: number
  disposition?: Disposition
}
type AnyActionBody = TUnsafe<ActionBody | null>

const actions: Record<PackageAction, { readonly summary: string; readonly body: AnyActionBody }> = {
  transition: {
    summary: 'Hand a package to a stock location, which allocates its stock there; again to re-route it',
    body: OptionalBody({ stock_location: Type.Optional(Id) }, [{ stock_location: 1 }]),
  },
  pack: { summary: 'Pack a package', body: OptionalBody({}) },
  ship: { summary: 'Ship a package, and its shipment with it', body: OptionalBody({}) },
  cancel: {
    summary: 'Cancel a package, and its shipment with it',
    body: OptionalBody({ disposition: Type.Optional(OneOf(dispositions)) }, [{ disposition: dispositions[0] }]),
  },
  'pack-for-refund': { summary: 'Pack a package for refund', body: OptionalBody({}) },
}

/** The schema of one action's route; what it says of possible moves is read from the table. */
export const actionSchema = (action: PackageAction) => ({
  tags,
  summary: actions[action].summary,
  description: describeAction(packageTransitions, action),
  operationId: `${action.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Package`,
  params: IdParams,
  body: actions[action].body,
  response: { 200: PackageShape, ...errorResponses },
})
