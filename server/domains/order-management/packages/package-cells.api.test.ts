import { describe, expect, test } from 'vitest'
import { makeFulfilment, type PackageBody } from '#testing/data/make-fulfilment.ts'
import { makeTestApp } from '#testing/make-test-app.ts'
import {
  allowedActions,
  packageActions,
  packageStatuses,
  packageTransitions,
  type PackageStatus,
} from './transitions.ts'

const { call, database } = await makeTestApp()
const fulfilment = makeFulfilment({ call })

const eventsOf = async (type: string, id: number) => {
  const rows = await database.db
    .selectFrom('events')
    .select(['type', 'sequence', 'body'])
    .where('objectType', '=', type)
    .where('objectId', '=', String(id))
    .orderBy('sequence')
    .execute()
  return rows.map((row) => ({ ...row, data: (JSON.parse(row.body) as { data: Record<string, unknown> }).data }))
}

describe('every cell of the table', () => {
  const cells = packageStatuses.flatMap((status) =>
    packageActions.map((action) => ({ status, action, move: packageTransitions[status][action] })),
  )
  const moves = cells.flatMap(({ move, ...cell }) => (move === undefined ? [] : [{ ...cell, ...move }]))

  /** Does the action to a package in the status. @returns the answer, the package after it, and what it raised. */
  const tryCell = async (status: PackageStatus, action: string, needs?: string) => {
    const { id } = await fulfilment.packageIn(status)
    if (status === 'packed') await fulfilment.shipment(id)
    const eventsBefore = await eventsOf('package', id)
    const body = {
      ...(needs === 'location' ? { stock_location: await fulfilment.location({ CHAIR: 1 }) } : {}),
      ...(needs === 'disposition' ? { disposition: 'restock' } : {}),
    }
    const answer = await call('POST', `/api/v1/packages/${id}/${action}/`, body)
    const now = (await call('GET', `/api/v1/packages/${id}/`)).json<PackageBody>()
    const raised = (await eventsOf('package', id)).slice(eventsBefore.length)
    return { answer, now, raised: raised.map(({ type, data }) => ({ type, data })) }
  }

  test.each(moves)('$status: $action leads to $to', async ({ status, action, to, needs }) => {
    const { answer, now, raised } = await tryCell(status, action, needs)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual(now)
    expect(now.status).toBe(to)
    const { allowed_actions: allowed, quotation_order: _, ...data } = now
    expect(allowed).toEqual(allowedActions({ status: to, shipmentId: now.shipment }))
    expect(raised).toEqual([{ type: `package.status.${to}`, data }])
  })

  test.each(cells.filter(({ move }) => move === undefined))(
    '$status: $action is refused',
    async ({ status, action }) => {
      const { answer, now, raised } = await tryCell(status, action)
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toEqual({
        non_field_errors: [expect.stringContaining(status)],
        code: 'package_move_not_allowed',
        allowed_actions: Object.keys(packageTransitions[status]),
      })
      expect(now.status).toBe(status)
      expect(raised).toEqual([])
    },
  )
})
