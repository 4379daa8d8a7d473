/** Fields as they came: those that did not are undefined, or not there. */
export type Sent<T> = { readonly [K in keyof T]?: T[K] | undefined }

/** Only the fields that were sent. */
export const sentFields = <T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }

/** The fields, of those that were sent, that would get another value: what a PATCH really changes. */
export const realChanges = <T extends object>(record: T, sent: Sent<T>): Partial<T> =>
  Object.fromEntries(
    Object.entries(sent).filter(([name, value]) => value !== undefined && value !== record[name as keyof T]),
  ) as Partial<T>

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
