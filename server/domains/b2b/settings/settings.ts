import { Type, type Static } from 'typebox'

/** Fields that an export of the items of a quotation can have: those of document 3 ("Export"), and more. */
export const itemExportFields = [
  'product_remote_id',
  'quantity',
  'price',
  'total_amount',
  'product',
  'divisions',
  'net_amount',
  'currency',
  'division',
  'sku',
] as const
export type ItemExportField = (typeof itemExportFields)[number]

const isRequired = (description: string) => Type.Boolean({ description })

/** Every setting: what it can be, and what it is until somebody sets it (quotations, "Settings"). */
export const settingTable = {
  IS_SUB_DIVISION_QUOTATION_APPROVAL_REQUIRED: {
    schema: isRequired('Whether a quotation of a sub-division waits for its main division first.'),
    initial: true,
  },
  QUOTATION_VALID_DAYS: {
    schema: Type.Integer({
      minimum: 0,
      maximum: 3650,
      description: 'Days until a quotation expires; 0: it never does.',
    }),
    initial: 30,
  },
  QUOTATION_OWNER_CONSENT_REQUIRED: {
    schema: isRequired('Whether the owner must have agreed to terms that are worse than those it submitted.'),
    initial: false,
  },
  QUOTATION_ITEM_EXPORT_FIELDS: {
    schema: Type.Array(Type.Unsafe<ItemExportField>({ type: 'string', enum: [...itemExportFields] }), {
      minItems: 1,
      uniqueItems: true,
      description: 'Columns that every export of the items of a quotation has.',
    }),
    initial: ['product_remote_id', 'quantity', 'price', 'total_amount'],
  },
  CREATE_ORDERS_ON_APPROVAL: {
    schema: isRequired('Whether approval makes the orders; otherwise somebody has to ask for them.'),
    initial: true,
  },
  QUOTATION_MINIMUM_AMOUNT: {
    schema: Type.String({
      pattern: String.raw`^(0|[1-9]\d{0,12})(\.\d{1,2})?$`,
      description: 'Least amount that a quotation can be made of, in its own currency.',
      examples: ['250.00'],
    }),
    initial: '0',
  },
} as const

type Table = typeof settingTable
export type SettingName = keyof Table

export type Settings = { readonly [Name in SettingName]: Static<Table[Name]['schema']> }

/** The settings of an installation where nobody has set any. */
export const initialSettings = Object.fromEntries(
  Object.entries(settingTable).map(([name, { initial }]) => [name, initial]),
) as unknown as Settings

export const isSettingName = (name: string): name is SettingName => Object.hasOwn(settingTable, name)
