import type { Schema } from '#api/types.ts'
import type { Names } from './names.ts'
import { placeOf } from './place.ts'

/** What an object of a report is called: its label, else its id. Labels that say no more than kind and id are left to the reader's language. */
export const labelOf = (shown: Readonly<Record<string, unknown>>, id: number | string): string => {
  const { label, type } = shown
  return typeof label !== 'string' || label === `${String(type)} ${id}` ? String(id) : label
}

/** What a report is about, in short. */
export const aboutOf = (report: Schema<'ErrorReport'>, names: Names): string => {
  const model = names.modelOf(report.action_content_type)
  const place = placeOf(report, model)
  if (place !== undefined) return `${names.kindName(place.type)} ${place.name}`
  const label = labelOf(report.action, report.action_object_id)
  return label === String(report.action_object_id) ? `${names.kind(report.action_content_type)} ${label}` : label
}
