import type { RowOf } from '#api/types.ts'
import { users } from '#parts/records.ts'
import type { ListDefinition } from '#ui/list/use-list.ts'

export type Entry = RowOf<'/api/v1/audit'>

export const audit: ListDefinition<'/api/v1/audit'> = {
  path: '/api/v1/audit',
  texts: 'audit',
  filters: [
    { name: 'action', label: 'field.action', kind: 'text' },
    { name: 'object_type', label: 'field.object_type', kind: 'text' },
    { name: 'object_id', label: 'field.object_id', kind: 'text' },
    { name: 'user', label: 'field.user_is', kind: 'record', records: users },
    { name: 'created_at', label: 'field.created_at', kind: 'time' },
  ],
}
