import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { ApiError } from '#api/api-error.ts'
import { call, recordOf } from '#api/queries.ts'
import type { Search } from '#ui/list/filters.ts'
import { formats, itemColumns, listColumns, rowKinds, type Format, type RowKind } from './columns.ts'

/** What is exported: all quotations that match, or the items of one. */
export type Subject =
  | { readonly kind: 'quotations'; readonly matching: Readonly<Record<string, string | readonly string[]>> }
  | { readonly kind: 'items'; readonly id: number; readonly rows: number }

export interface ExportValues {
  readonly format: Format
  readonly fields: readonly string[]
  readonly rows: RowKind
}

/** What an address says of an export that is made again, else what most want. */
const valuesIn = ({ format, fields, rows }: Search, kind: Subject['kind']): ExportValues => {
  const { all, first } = kind === 'items' ? itemColumns : listColumns
  const named = [fields ?? []].flat().flatMap((text) => text.split(','))
  const known = all.filter((name) => named.includes(name))
  return {
    format: formats.find((one) => one === format) ?? 'xlsx',
    fields: known.length === 0 ? first : known,
    rows: rowKinds.find((one) => one === rows) ?? 'orders',
  }
}

const sizeOf = (subject: Subject, rows: RowKind) => ({
  ...recordOf('/api/v1/quotations/export/rows', {
    query: subject.kind === 'quotations' ? { ...subject.matching, rows } : {},
  }),
  enabled: subject.kind === 'quotations',
})

const begin = (subject: Subject, { rows, format, fields }: ExportValues) => {
  const asked = { format, fields: [fields.join(',')] }
  return subject.kind === 'items'
    ? call('get', '/api/v1/quotations/{id}/export', { path: { id: subject.id }, query: asked })
    : call('get', '/api/v1/quotations/export', { query: { ...subject.matching, ...asked, rows } })
}

/** An export that is about to begin: what it will have, how many rows that is, and whether its format can hold them. */
export const useExport = (subject: Subject) => {
  const queries = useQueryClient()
  const search: Search = useSearch({ strict: false })
  const [values, setValues] = useState(() => valuesIn(search, subject.kind))
  const { data: size } = useQuery(sizeOf(subject, values.rows))
  const beginning = useMutation<unknown, ApiError>({
    mutationFn: () => begin(subject, values),
    onSettled: () => void queries.invalidateQueries(),
  })
  return {
    values,
    change: (changed: Partial<ExportValues>): void => setValues((last) => ({ ...last, ...changed })),
    /** undefined while nobody knows. */
    rows: subject.kind === 'items' ? subject.rows : size?.rows,
    /** Formats that can hold them all. */
    able: formats.filter((format) => size?.formats.includes(format) ?? true),
    beginning,
  }
}

export type Exporting = ReturnType<typeof useExport>
