import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { invalidField, orNotFound } from '#platform/errors.ts'
import { envelope } from '#platform/lists/send-list.ts'
import type { Minor } from '#platform/money.ts'
import { importRoutes } from '../imports/index.ts'
import { makeDivisionChanges, type DivisionDeps } from './change-division.ts'
import { notALimit, parseLimit, toStorefront, toWire, type DivisionFields } from './division.ts'
import { divisionColumns, makeImportDivisions } from './import-divisions.ts'
import { createOptions, getOptions, listOptions, myOptions, updateOptions, type DivisionBody } from './schemas.ts'
import { findDivision, listDivisions, listOrderable } from './store.ts'

const path = '/api/v1/divisions'

/** Who buys: companies and their branches (contract, sections 7 and 11). */
export const divisionRoutes =
  (dependencies: DivisionDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, baseUrl } = dependencies
    const changes = makeDivisionChanges(dependencies)

    app.get(path, listOptions, async (request) =>
      envelope(request, baseUrl(), await listDivisions(db, request.query), toWire),
    )

    app.post(path, createOptions, async (request, reply) =>
      dependencies.write(request, reply, async (tx) => {
        const division = await changes.create(tx, { ...defaults, name: request.body.name, ...fieldsIn(request.body) })
        return { status: 201, body: toWire(division), headers: { location: `${baseUrl()}${path}/${division.id}/` } }
      }),
    )

    app.get(`${path}/:id`, getOptions, async (request) => {
      const division = orNotFound(await findDivision(db, request.params.id))
      return toWire(division)
    })

    app.patch(`${path}/:id`, updateOptions, async (request, reply) =>
      dependencies.write(request, reply, async (tx) => {
        const division = await changes.update(tx, request.params.id, fieldsIn(request.body))
        return { status: 200, body: toWire(division) }
      }),
    )

    app.get('/api/v1/my-divisions', myOptions, async (request) => {
      const { divisionId } = request.principal
      const found = divisionId === null ? { rows: [], count: 0 } : await listOrderable(db, divisionId, request.query)
      return envelope(request, baseUrl(), found, toStorefront)
    })

    await app.register(importOfDivisions(dependencies))
  }

const importOfDivisions = (dependencies: DivisionDeps) =>
  importRoutes(dependencies, {
    path,
    tag: 'Divisions',
    operationId: 'importDivisions',
    summary: 'Load divisions from a table',
    description:
      'Columns: erp_code (the key), name, and where wanted phone_number, parent_erp_code (empty: a main division), monthly_limit ' +
      '(empty: none) and is_active (true or false). What has no column stays as it is. Parents may stand in any row, or be there already.',
    columns: divisionColumns,
    example: 'erp_code,name,parent_erp_code\r\nHQ,Head office,\r\nBR-01,Branch North,HQ\r\n',
    load: makeImportDivisions(dependencies),
  })

const defaults = { phoneNumber: '', erpCode: null, parent: null, isActive: true, monthlyLimit: null } as const

/** The fields that a body has, and only those. @throws AppError 400 for a limit that is no amount. */
const fieldsIn = (body: DivisionBody): Partial<DivisionFields> => {
  const { name, phone_number: phoneNumber, erp_code: erpCode, parent, is_active: isActive } = body
  const limited = { erpCode: erpCode === '' ? null : erpCode, monthlyLimit: limitIn(body.monthly_limit) }
  const fields = { name, phoneNumber, parent, isActive, ...limited }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

const limitIn = (text: string | null | undefined): Minor | null | undefined => {
  if (text === undefined || text === null) return text
  const limit = parseLimit(text)
  if (limit === undefined) throw invalidField('monthly_limit', notALimit)
  return limit
}
