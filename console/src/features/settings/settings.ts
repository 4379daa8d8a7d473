import type { Schema } from '#api/types.ts'

export type Settings = Schema<'Settings'>
export type SettingName = keyof Settings
export type ExportField = Settings['QUOTATION_ITEM_EXPORT_FIELDS'][number]

/** How a setting is edited, and what it is until somebody sets it. */
export type Setting =
  | { readonly kind: 'yesno'; readonly initial: boolean }
  | { readonly kind: 'days'; readonly initial: number; readonly max: number }
  | { readonly kind: 'amount'; readonly initial: string }
  | { readonly kind: 'columns'; readonly initial: readonly ExportField[] }

/** Every setting of the API; one that is missing here is an error of types. */
export const settingTable: Record<SettingName, Setting> = {
  QUOTATION_VALID_DAYS: { kind: 'days', initial: 30, max: 3_650 },
  QUOTATION_MINIMUM_AMOUNT: { kind: 'amount', initial: '0' },
  IS_SUB_DIVISION_QUOTATION_APPROVAL_REQUIRED: { kind: 'yesno', initial: true },
  QUOTATION_OWNER_CONSENT_REQUIRED: { kind: 'yesno', initial: false },
  CREATE_ORDERS_ON_APPROVAL: { kind: 'yesno', initial: true },
  QUOTATION_ITEM_EXPORT_FIELDS: {
    kind: 'columns',
    initial: ['product_remote_id', 'quantity', 'price', 'total_amount'],
  },
}

export const exportFields = [
  'product_remote_id',
  'product',
  'sku',
  'division',
  'divisions',
  'quantity',
  'price',
  'net_amount',
  'total_amount',
  'currency',
] as const satisfies readonly ExportField[]

export const settingNames = Object.keys(settingTable) as readonly SettingName[]
