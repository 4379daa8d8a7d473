import type { FastifyRequest } from 'fastify'
import { insertAuditEntry, type AuditEntry, type Fields } from '../audit/audit-store.ts'
import { maskedFields } from '../audit/masked-fields.ts'
import type { Clock } from '../clock.ts'
import type { Db, Tx } from '../db/database.ts'
import type { Answer } from './idempotency-keys.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the audit says who did it. It does so with the write, in its transaction. */
    audited?: boolean
  }
  interface FastifyRequest {
    /** What the object was before, for the audit: set by the work of an audited write. */
    auditedBefore?: Fields
    /** Whether the work only said what it would do: the audit says nothing of that. A query with `dry_run` says it by itself. */
    isPreview?: boolean
  }
}

/** What an entry says besides what its request does. */
type Said = Partial<Pick<AuditEntry, 'userId' | 'objectId' | 'objectType' | 'before' | 'after'>>

/** Says in the audit what a request did. */
export type Audit = (tx: Db | Tx, request: FastifyRequest, said?: Said) => Promise<void>

export const makeAudit =
  ({ clock }: { readonly clock: Clock }): Audit =>
  async (tx, request, said = {}) => {
    const { method, routeOptions, id } = request
    const { url = '', schema } = routeOptions
    // A public route has no principal, whatever the type says.
    const principal = request.principal as FastifyRequest['principal'] | undefined
    await insertAuditEntry(tx, {
      userId: principal?.userId ?? null,
      surface: `${method} ${url}`,
      action: schema?.operationId ?? method,
      objectType: collectionOf(url),
      objectId: null,
      before: null,
      after: null,
      requestId: id,
      createdAt: clock.now(),
      ...said,
    })
  }

/** What the audit says of a write through `write`: what was sent, and of the same fields what was there before. */
export const saidOfWrite = ({ params, body, auditedBefore }: FastifyRequest, answer: Answer): Said => {
  const after = maskedFields(body)
  const before = auditedBefore === undefined ? null : maskedFields(pick(auditedBefore, Object.keys(after ?? {})))
  return { objectId: idIn(params) ?? idOf(answer.body), before, after }
}

/** Whether a request changes nothing, and only asks what it would change. */
export const isPreview = ({ isPreview: isSaid, query }: FastifyRequest): boolean =>
  isSaid === true || (query as { readonly dry_run?: unknown }).dry_run === true

const pick = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name]]))

/** The id of a record. */
const idOf = (record: unknown): string | null => {
  if (typeof record !== 'object' || record === null) return null
  const { _id, id } = record as Readonly<Record<string, unknown>>
  return textOf(_id ?? id)
}

/** The innermost id of a path, which stands last. */
const idIn = (params: unknown): string | null => textOf(Object.values(params ?? {}).at(-1))

const textOf = (id: unknown): string | null => (typeof id === 'number' || typeof id === 'string' ? String(id) : null)

/** What a path is of: the segment before its last parameter, or else the first one behind the prefix of its service. */
const collectionOf = (url: string): string => {
  const segments = url.split('/').filter(Boolean)
  const last = segments.findLastIndex((segment) => segment.startsWith(':'))
  if (last > 0) return segments[last - 1] ?? ''
  return segments[segments[0] === 'api' ? 2 : 1] ?? ''
}
