import type { components, paths } from './generated/schema.d.ts'

export type { paths }

/** A record by its name in the API description, such as `Schema<'Package'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name]

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** Paths that have this method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: unknown }> ? P : never
}[keyof paths]

type Operation<M extends Method, P extends PathOf<M>> = paths[P] extends Record<M, infer O> ? O : never

type Json<T> = T extends { content: { 'application/json': infer Content } } ? Content : undefined

/** The body of the successful answer of an operation. */
export type Answer<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { responses: infer R } ? Json<R[keyof R & (200 | 201 | 202 | 204)]> : never

/** What stands in the path, as in `{id}`. */
export type PathParameters<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { parameters: { path: infer Path } } ? Path : undefined

/** What may stand behind the `?`. */
export type Query<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { parameters: { query?: infer Q } } ? NonNullable<Q> : never

/** The JSON that an operation takes. */
export type Body<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { requestBody?: infer B } ? Json<NonNullable<B>> : never

/** Paths whose answer is a page of rows: an array, or an envelope with `results`. */
export type ListPath = {
  [P in PathOf<'get'>]: Answer<'get', P> extends readonly unknown[] | { results: readonly unknown[] } ? P : never
}[PathOf<'get'>]

/** One row of a list. */
export type RowOf<P extends ListPath> =
  Answer<'get', P> extends readonly (infer Row)[]
    ? Row
    : Answer<'get', P> extends { results: readonly (infer Row)[] }
      ? Row
      : never
