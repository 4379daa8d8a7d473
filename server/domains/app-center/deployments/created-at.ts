import { Type } from 'typebox'
import { timeFrom } from '#platform/time-text.ts'

const timeQuery = (description: string) =>
  Type.Optional(Type.String({ description, maxLength: 40, examples: ['2026-11-21T09:30:00Z'] }))

/** Filters of a list by when its rows were made. */
export const createdAtQuery = {
  createdAt__gte: timeQuery('Created at this time or later.'),
  createdAt__lt: timeQuery('Created before this time.'),
}

export interface CreatedBetween {
  readonly createdFrom: Date | undefined
  readonly createdBefore: Date | undefined
}

/** Reads the two filters. @throws AppError 400 naming the one that is not a time. */
export const createdBetween = (query: {
  readonly createdAt__gte?: string
  readonly createdAt__lt?: string
}): CreatedBetween => ({
  createdFrom: timeFrom('createdAt__gte', query.createdAt__gte),
  createdBefore: timeFrom('createdAt__lt', query.createdAt__lt),
})
