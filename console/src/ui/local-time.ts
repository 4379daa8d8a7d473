/** A moment as a field for date and time has it: in the zone of the browser, to the second. */
export const toLocalTime = (at: string): string => {
  const moment = new Date(at)
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}

/** What such a field has, as RFC 3339; undefined while it is empty. */
export const fromLocalTime = (local: string): string | undefined =>
  local === '' ? undefined : new Date(local).toISOString()
