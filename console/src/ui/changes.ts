/** What of a form of `useForm` says what was changed in it. */
export interface ChangingForm {
  readonly values: object
  readonly isDirty: (field: string) => boolean
}

/** How many fields of a form are not as they were when it was opened or saved. */
export const changesOf = ({ values, isDirty }: ChangingForm): number =>
  Object.keys(values).filter((field) => isDirty(field)).length

/** How many fields differ, of a form that keeps its values itself. */
export const changesBetween = <Values extends object>(before: Values, now: Values): number => {
  const fields = Object.keys(now) as (keyof Values)[]
  return fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(now[field])).length
}

/** The values of a form that somebody has changed, for a change that leaves all others alone. */
export const changedValues = <Values extends object>({ isDirty }: ChangingForm, values: Values): Partial<Values> =>
  Object.fromEntries(Object.entries(values).filter(([field]) => isDirty(field))) as Partial<Values>
