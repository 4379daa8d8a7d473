import { sql } from 'kysely'
import type { LightMyRequestResponse } from 'fastify'
import type { TestApp } from '../make-test-app.ts'

export interface ReportBody {
  readonly id: number
  readonly action_content_type: number
  readonly action_object_id: number
  readonly target_content_type: number | null
  readonly target_object_id: string | null
  readonly error_code: string
  readonly error_desc: string
  readonly is_ok: boolean
  readonly raw_request: string | null
  readonly raw_response: string | null
  readonly channel: number | null
  readonly group: number | null
  readonly created_date: string
  readonly updated_date: string
  readonly resolved_how: string | null
}

let made = 0

/** Makes channels and reports of errors; each report has a body of its own unless the fields say otherwise. */
export const makeErrorReports = ({ call, database }: Pick<TestApp, 'call' | 'database'>) => {
  const body = (fields: object = {}): Record<string, unknown> => {
    made += 1
    return {
      action_content_type: 1,
      action_object_id: made,
      obj_modified_date: '2026-11-21 09:30:00',
      error_code: `E-${made}`,
      error_desc: 'ProductIntegrationError',
      ...fields,
    }
  }
  const checked = (answer: LightMyRequestResponse): ReportBody => {
    if (answer.statusCode >= 300) throw new Error(`${answer.statusCode}: ${answer.body}`)
    return answer.json<ReportBody>()
  }
  return {
    body,
    /** A channel of a catalogue, which is made when it is new. @returns its id. */
    async channel(catalog = 'Main'): Promise<number> {
      made += 1
      const { rows } = await sql<{ id: number }>`
        with one as (
          insert into catalogs (name, created_at, modified_at) values (${catalog}, now(), now())
          on conflict (name) do update set name = excluded.name returning id)
        insert into channels (name, catalog_id, created_at, modified_at)
        select ${`Channel ${made}`}, one.id, now(), now() from one returning id`.execute(database.db)
      return rows[0]?.id ?? 0
    },
    post: (fields: object = {}) => call('POST', '/api/v1/error_reports/', body(fields)),
    /** A report of the back office. */
    report: async (fields: object = {}): Promise<ReportBody> =>
      checked(await call('POST', '/api/v1/error_reports/', body(fields))),
    /** A report of a channel. */
    ofChannel: async (channel: number, fields: object = {}): Promise<ReportBody> =>
      checked(await call('POST', `/api/v1/channel/${channel}/error_reports/`, body(fields))),
    read: async (id: number): Promise<ReportBody> => checked(await call('GET', `/api/v1/error_reports/${id}`)),
    list: async (query: string): Promise<{ ids: number[]; count: number }> => {
      const answer = await call('GET', `/api/v1/error_reports/?${query}`)
      if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${answer.body}`)
      const ids = answer.json<ReportBody[]>().map(({ id }) => id)
      return { ids, count: Number(answer.headers['x-total-count']) }
    },
  }
}
