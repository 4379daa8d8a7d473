import { Type, type Static } from 'typebox'
import { Amount, Body, CheckedElsewhere, Id, Nullable, OneOf, orNull, Timestamp } from '#platform/http/schemas.ts'

const Name = Type.String({ minLength: 1, maxLength: 255, pattern: String.raw`\S`, examples: ['Branch North'] })
const PhoneNumber = Type.String({ maxLength: 50, examples: ['+49 30 123456'] })
const erpCodeLimits = { maxLength: 100, examples: ['BR-01'] }
const limitDescription =
  'What its quotations of a month (UTC), and those of the divisions below it, come to at most, in each currency by itself; at most 2 decimals. 0.00: no limit.'
const ShownAmount = (description: string) => Type.String({ ...Amount, description, examples: ['5000.00'] })

const PlaceId = orNull({ ...Id, description: 'Of the place in the system that keeps addresses.' })
const degrees = (most: number) => orNull(Type.Number({ minimum: -most, maximum: most, description: 'Degrees.' }))
/** What is kept for whoever reads a division; nothing here depends on it. */
const details = {
  address: Type.String({ maxLength: 1_000 }),
  fax_number: PhoneNumber,
  country_id: PlaceId,
  city_id: PlaceId,
  township_id: PlaceId,
  district_id: PlaceId,
  latitude: degrees(90),
  longitude: degrees(180),
  extra_data: Type.Record(Type.String(), Type.Unknown(), { description: 'Any object of your own.' }),
}
const balanceDescription = 'As the system that keeps accounts says it, with at most 2 decimals.'
export const Details = Type.Object({
  ...details,
  current_balance: ShownAmount(balanceDescription),
  current_balance_last_update: Nullable(Timestamp),
})
export const sentDetails = Type.Partial(
  Type.Object({
    ...details,
    current_balance: orNull(
      CheckedElsewhere(Type.String({ description: balanceDescription, examples: ['5000.00'] }), {
        pattern: String.raw`^-?[0-9]{1,16}(\.[0-9]{1,2})?$`,
      }),
    ),
  }),
)

const optional = {
  phone_number: Type.Optional(PhoneNumber),
  erp_code: Type.Optional(
    orNull(
      Type.String({
        ...erpCodeLimits,
        description: "What the buyer's own system calls it: unique, whatever the case. Empty or null: nothing.",
      }),
    ),
  ),
  parent: Type.Optional(orNull({ ...Id, description: 'null: it is a main division.' })),
  is_active: Type.Optional(Type.Boolean()),
  monthly_order_limit: Type.Optional(
    orNull(
      CheckedElsewhere(Type.String({ description: limitDescription, examples: ['5000.00'] }), {
        pattern: String.raw`^[0-9]{1,16}(\.[0-9]{1,2})?$`,
      }),
    ),
  ),
  ...sentDetails.properties,
}
const readOnly = [
  'id',
  'division_type',
  'root',
  'remaining',
  'current_balance_last_update',
  'created_date',
  'modified_date',
]

/** A division without its details. */
export const PlainDivision = Type.Object({
  id: Id,
  name: Name,
  division_type: OneOf(['main', 'sub'], { description: 'A main division has no parent.' }),
  phone_number: Type.String(),
  erp_code: Type.String({ description: 'Empty: it has none.' }),
  parent: Nullable(Id),
  root: Type.Integer({ ...Id, description: 'The main division of its tree; itself for a main division.' }),
  is_active: Type.Boolean({ description: 'For an inactive division nothing can be ordered.' }),
  monthly_order_limit: ShownAmount(limitDescription),
  created_date: Timestamp,
  modified_date: Timestamp,
})
export const Division = Type.Object(
  {
    ...PlainDivision.properties,
    remaining: Nullable(
      Type.String({
        ...Amount,
        description:
          'What is left this month of its limit, or of one above it, where least is left, in the currency in which least is left; null: there is no limit.',
        examples: ['2000.00'],
      }),
    ),
    ...Details.properties,
  },
  { title: 'Division', description: 'A company that buys, or a branch of one.' },
)
export const NewDivision = Body({ name: Name, ...optional }, readOnly, {
  title: 'NewDivision',
  description: 'A division to make.',
  examples: [{ name: 'Branch North', erp_code: 'BR-01', monthly_order_limit: '5000.00' }],
})
export const DivisionChanges = Body({ name: Type.Optional(Name), ...optional }, readOnly, {
  title: 'DivisionPatch',
  description: 'Changes of a division; what is left out stays.',
  examples: [{ is_active: false }],
})
export type DivisionBody = Static<typeof DivisionChanges>

/** A row of a table that is loaded: the parent is named by its ERP code, and empty cells are as good as null. */
export const DivisionRow = Type.Object({
  erp_code: Type.String({ minLength: 1, maxLength: 100, pattern: String.raw`\S` }),
  name: Name,
  phone_number: Type.Optional(PhoneNumber),
  parent_erp_code: Type.Optional(Type.String({ maxLength: 100 })),
  is_active: Type.Optional(Type.Boolean()),
  monthly_order_limit: Type.Optional(Type.String()),
})
export type DivisionRowFields = Static<typeof DivisionRow>
