import { Type, type Static } from 'typebox'
import { Body, Id, Nullable, OneOf, orNull, Timestamp } from '#platform/http/schemas.ts'

const Name = Type.String({ minLength: 1, maxLength: 255, pattern: String.raw`\S`, examples: ['Branch North'] })
const PhoneNumber = Type.String({ maxLength: 50, examples: ['+49 30 123456'] })
const erpCodeLimits = { maxLength: 100, examples: ['BR-01'] }
const limitDescription =
  'What its quotations of a month should come to at most, with at most 2 decimals, for people: it refuses none. null: no limit.'
const optional = {
  phone_number: Type.Optional(PhoneNumber),
  erp_code: Type.Optional(
    orNull(
      Type.String({
        ...erpCodeLimits,
        description: "What the buyer's own system calls it: unique. Empty or null: nothing.",
      }),
    ),
  ),
  parent: Type.Optional(orNull({ ...Id, description: 'null: it is a main division.' })),
  is_active: Type.Optional(Type.Boolean()),
  monthly_limit: Type.Optional(orNull(Type.String({ description: limitDescription, examples: ['5000.00'] }))),
}
const readOnly = ['id', 'root', 'created_date', 'modified_date']

export const Division = Type.Object(
  {
    id: Id,
    name: Name,
    phone_number: Type.String(),
    erp_code: Type.String({ description: 'Empty: it has none.' }),
    parent: Nullable(Id),
    root: Type.Integer({ ...Id, description: 'The main division of its tree; itself for a main division.' }),
    is_active: Type.Boolean({ description: 'For an inactive division nothing can be ordered.' }),
    monthly_limit: Nullable(Type.String({ description: limitDescription })),
    created_date: Timestamp,
    modified_date: Timestamp,
  },
  { title: 'Division' },
)
export const MyDivision = Type.Object(
  {
    id: Id,
    name: Type.String(),
    division_type: OneOf(['main', 'sub']),
    parent: Nullable(Id),
    phone_number: Type.String(),
    erp_code: Type.String(),
    is_active: Type.Boolean(),
    monthly_order_limit: Nullable(Type.String()),
    current_balance: Type.String(),
    current_balance_last_update: Type.Null(),
    address: Type.String(),
    fax_number: Type.String(),
    country_id: Type.Null(),
    city_id: Type.Null(),
    township_id: Type.Null(),
    district_id: Type.Null(),
    latitude: Type.Null(),
    longitude: Type.Null(),
    extra_data: Type.Object({}),
  },
  {
    title: 'MyDivision',
    description:
      'What the storefront client reads. The balance, the address, its place and `extra_data` are kept by other systems, and empty here.',
  },
)
export const NewDivision = Body({ name: Name, ...optional }, readOnly, {
  title: 'NewDivision',
  examples: [{ name: 'Branch North', erp_code: 'BR-01', monthly_limit: '5000.00' }],
})
export const DivisionChanges = Body({ name: Type.Optional(Name), ...optional }, readOnly, {
  title: 'DivisionPatch',
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
  monthly_limit: Type.Optional(Type.String()),
})
export type DivisionRowFields = Static<typeof DivisionRow>
