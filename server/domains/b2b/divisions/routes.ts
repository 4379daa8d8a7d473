import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db, Tx } from '#platform/db/database.ts'
import { invalidField, orNotFound } from '#platform/errors.ts'
import { recordRoutes } from '#platform/http/record-routes.ts'
import { makeRouteOptions, operationsFor } from '#platform/http/route-options.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import type { Rows } from '#platform/lists/page.ts'
import type { Minor } from '#platform/money.ts'
import { sentFields } from '#platform/sent-fields.ts'
import { importRoutes } from '../imports/index.ts'
import { makeDivisionChanges, type DivisionDeps } from './change-division.ts'
import {
  notALimit,
  parseLimit,
  toWire,
  unsaid,
  type Division,
  type DivisionFields,
  type SentDetails,
  type ShownDivision,
} from './division.ts'
import { divisionColumns, makeImportDivisions } from './import-divisions.ts'
import { Division as DivisionShape, DivisionChanges, NewDivision, sentDetails, type DivisionBody } from './schemas.ts'
import { divisionList, findDivision, listDivisions, listOrderable, orderableList } from './store.ts'

const path = '/api/v1/divisions'
const route = makeRouteOptions('Divisions', errorResponses)
const storefrontRoute = makeRouteOptions('Storefront', errorResponses)
const read = operationsFor({ access: { role: 'staff', scope: 'quotations:read' } })
const write = operationsFor({ access: { role: 'staff', scope: 'quotations:write' } })
const buyer = operationsFor({ access: { role: 'user', scope: 'quotations:read' } })

/** Who buys: companies and their branches (contract, sections 7 and 11). */
export const divisionRoutes =
  (dependencies: DivisionDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const changes = makeDivisionChanges(dependencies)
    const pathOf = ({ id }: { readonly id: number }): string => `${path}/${id}/`
    const { shown, shownPage } = makeShow(dependencies)
    const kind = { path, route, record: DivisionShape, toWire, pathOf, isEnveloped: true }
    const divisions = recordRoutes(app, dependencies, kind)
    divisions.list(
      read('listDivisions', 'List divisions', 'Inactive ones too, unless `is_active` says otherwise.'),
      divisionList,
      async (db, query) => shownPage(db, await listDivisions(db, query)),
    )
    divisions.create(write('createDivision', 'Create a division'), NewDivision, async (tx, body) =>
      shown(tx, await changes.create(tx, { ...unsaid, name: body.name, ...fieldsIn(body) }, detailsIn(body))),
    )
    divisions.get(read('getDivision', 'Read a division'), async (db, id) =>
      shown(db, orNotFound(await findDivision(db, id))),
    )
    divisions.update(update, DivisionChanges, async (tx, id, body) =>
      shown(tx, await changes.update(tx, id, fieldsIn(body), detailsIn(body))),
    )

    const mine = {
      path: '/api/v1/my-divisions',
      route: storefrontRoute,
      record: DivisionShape,
      toWire,
      isEnveloped: true,
    }
    recordRoutes(app, dependencies, mine).list(
      buyer(
        'listMyDivisions',
        'List the divisions that the caller may order for',
        'The active ones: the whole tree for somebody of a main division, the own one for somebody of a branch, none for anybody else.',
      ),
      orderableList,
      async (db, query, { principal: { divisionId } }) =>
        divisionId === null ? { rows: [], count: 0 } : shownPage(db, await listOrderable(db, divisionId, query)),
    )

    await app.register(importOfDivisions(dependencies))
  }

/** Divisions with what is left of their limits, in one query for a page. */
const makeShow = ({ remainingOf }: Pick<DivisionDeps, 'remainingOf'>) => {
  const shownAll = async (db: Db | Tx, divisions: readonly Division[]): Promise<ShownDivision[]> => {
    const ids = divisions.map(({ id }) => id)
    const remaining = await remainingOf(db, ids, null)
    return divisions.map((division, index) => ({ ...division, remaining: remaining[index] ?? null }))
  }
  return {
    async shown(db: Db | Tx, division: Division): Promise<ShownDivision> {
      const [shown = { ...division, remaining: null }] = await shownAll(db, [division])
      return shown
    },
    shownPage: async (db: Db, { rows, ...page }: Rows<Division>): Promise<Rows<ShownDivision>> => ({
      ...page,
      rows: await shownAll(db, rows),
    }),
  }
}

const importOfDivisions = (dependencies: DivisionDeps) =>
  importRoutes(dependencies, {
    path,
    tag: 'Divisions',
    operationId: 'importDivisions',
    summary: 'Load divisions from a table',
    description:
      'Columns: erp_code (the key), name, and where wanted phone_number, parent_erp_code (empty: a main division), ' +
      'monthly_order_limit (empty: none) and is_active (true or false). What has no column stays as it is. Parents may stand in any row, or be there already.',
    columns: divisionColumns,
    example: 'erp_code,name,parent_erp_code\r\nHQ,Head office,\r\nBR-01,Branch North,HQ\r\n',
    load: makeImportDivisions(dependencies),
  })

/** The fields that a body has, and only those. @throws AppError 400 for a limit that is no amount. */
const fieldsIn = (body: DivisionBody): Partial<Omit<DivisionFields, 'details'>> => {
  const { name, phone_number: phoneNumber, erp_code: erpCode, parent, is_active: isActive } = body
  const limited = { erpCode: erpCode === '' ? null : erpCode, monthlyLimit: limitIn(body.monthly_order_limit) }
  return sentFields({ name, phoneNumber, parent, isActive, ...limited })
}

const detailsIn = (body: DivisionBody): SentDetails =>
  sentFields(
    Object.fromEntries(Object.keys(sentDetails.properties).map((name) => [name, body[name as keyof SentDetails]])),
  )

const limitIn = (text: string | null | undefined): Minor | null | undefined => {
  if (text === undefined || text === null) return text
  const limit = parseLimit(text)
  if (limit === undefined) throw invalidField('monthly_order_limit', notALimit)
  return limit
}

const update = write(
  'updateDivision',
  'Change, move, deactivate or reactivate a division',
  'Divisions are deactivated, not deleted. For an inactive one nothing can be ordered, and its people can order nothing; its ' +
    'branches stay as they are. A division with another parent takes along what hangs from it, also into another tree.',
)
