import type { TFunction } from 'i18next'
import type { Schema } from '#api/types.ts'
import type { Names } from './names.ts'

const places = ['city', 'township', 'district'] as const
export type PlaceType = (typeof places)[number]
export const placeTypeOf = (model: string | undefined): PlaceType | undefined => places.find((one) => one === model)

type Facts = Pick<Schema<'ErrorReportGroup'>, 'title' | 'code_pattern' | 'action_content_type' | 'channel'>

/** What whoever reports says when they have no words. */
const unsaid = new Set(['', 'custom'])
export const isUnsaid = (text: string): boolean => unsaid.has(text.trim())

/** The first line of a group: what went wrong. The server keeps the words of the first failure; places come without any. */
export const sentenceOf = (group: Facts, names: Names, t: TFunction<'error-reports'>): string => {
  if (!isUnsaid(group.title)) return group.title
  const place = placeTypeOf(names.modelOf(group.action_content_type))
  const channel = names.channel(group.channel)
  if (place !== undefined) return t(`places_unknown.${place}`, { channel })
  const kind = names.kind(group.action_content_type)
  return isUnsaid(group.code_pattern)
    ? t('failed_without_words', { kind, channel })
    : t('failed_with_code', { kind, code: group.code_pattern })
}
