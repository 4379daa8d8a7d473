import { Since } from '#ui/since.tsx'
import { Status, type Outcome } from '#ui/status.tsx'
import { Time } from '#ui/time.tsx'
import type { Column } from './list-table.tsx'

/** The status of a row, which the texts of the list name as `status.<value>`. */
export const statusColumn = <S extends string>(
  outcomes: Readonly<Record<S, Outcome>>,
): Column<{ readonly status: S }> => ({
  name: 'status',
  title: 'field.status',
  ordering: 'status',
  render: ({ status }, t) => <Status outcome={outcomes[status]}>{t(`status.${status as string}`)}</Status>,
})

/** A time that rows can be put in order by, such as when they were made. */
export const timeColumn = <Field extends string>(field: Field): Column<Readonly<Record<Field, string>>> => ({
  name: field,
  title: `field.${field}`,
  ordering: field,
  isWide: true,
  render: ({ [field]: at }) => <Time at={at} />,
})

/** How long ago a time is, as a figure. @param title a key of the list's texts */
export const sinceColumn = <Field extends string>(
  field: Field,
  title: string,
): Column<Readonly<Record<Field, string>>> => ({
  name: 'since',
  title,
  ordering: field,
  isNumber: true,
  isWide: true,
  render: ({ [field]: at }) => <Since at={at} />,
})
