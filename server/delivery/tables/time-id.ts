/** Ids made by `next_time_id` (migration 0001): milliseconds since 2026-01-01 UTC, then a counter of 12 bits. */
const epochMs = Date.UTC(2026, 0, 1)

/** Ids in one millisecond. */
export const idsPerMs = 4_096

/** When a row with a time id was made, to the millisecond. */
export const timeOfId = (id: number): Date => new Date(Math.floor(id / idsPerMs) + epochMs)

/** The smallest id of a moment: a search by time becomes a range of the primary key. Same as `time_id_floor`. */
export const firstIdOf = (moment: Date): number => (moment.getTime() - epochMs) * idsPerMs
