import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Principal } from '#platform/auth/principal.ts'
import type { Tx } from '#platform/db/database.ts'
import { forbidden, invalidField, orNotFound } from '#platform/errors.ts'
import { recordRoutes } from '#platform/http/record-routes.ts'
import { makeRouteOptions, operationsFor } from '#platform/http/route-options.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { NewSavedView, SavedViewPatch, SavedViewRecord, toWire } from './schemas.ts'
import {
  deleteView,
  findView,
  holdViewsOf,
  insertView,
  listViews,
  updateView,
  viewList,
  type SavedView,
} from './store.ts'

const maxViews = 100

/** No scope: views are for people. */
const operation = operationsFor({ access: { role: 'staff' } })
const route = makeRouteOptions('Saved views', errorResponses)

/** Screens of the console with their filters, which people keep for themselves or for all of the back office. */
export const viewRoutes =
  (deps: SliceDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { clock } = deps
    const views = recordRoutes(app, deps, {
      path: '/api/v1/views',
      route,
      record: SavedViewRecord,
      toWire: (view: Parameters<typeof toWire>[0], { principal }) => toWire(view, principal.userId),
    })
    views.list(list, viewList, (db, query, { principal }) => listViews(db, principal.userId, query))
    views.create(create, NewSavedView, async (tx, body, { principal: { userId } }) => {
      if ((await holdViewsOf(tx, userId)) >= maxViews)
        throw invalidField('name', `There are ${maxViews} views of yours already. Remove one first.`)
      const { is_shared: isShared = false, query = '', ...named } = body
      const made = await insertView(tx, userId, { ...named, query, isShared }, clock.now())
      if (made === 'taken') throw nameTaken()
      return orNotFound(await findView(tx, userId, made.id))
    })
    views.update(update, SavedViewPatch, async (tx, id, { is_shared: isShared, name, query }, { principal }) => {
      const { userId } = await requireOwn(tx, principal, id)
      const sent = { name, query, isShared }
      const changes = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
      if ((await updateView(tx, id, changes, clock.now())) === 'taken') throw nameTaken()
      // As its owner sees it: a superuser who no longer shares it does not have it any more.
      return findView(tx, userId, id)
    })
    views.remove(remove, async (tx, id, { principal }) => {
      await requireOwn(tx, principal, id)
      await deleteView(tx, id)
    })
  }

/** @throws AppError 404 for one that the caller does not have, 403 for one that is shared with them. */
const requireOwn = async (tx: Tx, { userId, isSuperuser }: Principal, id: number): Promise<SavedView> => {
  const view = orNotFound(await findView(tx, userId, id))
  if (view.userId !== userId && !isSuperuser) throw forbidden('Only its owner or a superuser changes a view.')
  return view
}

const nameTaken = () => invalidField('name', 'Its owner has a view of this name on this screen.')

const list = operation('listViews', 'List saved views', 'The caller’s own, and those that are shared.')
const create = operation('createView', 'Save a view', `At most ${maxViews} for each user.`)
const update = operation('updateView', 'Change a view', 'For its owner, and superusers where it is shared.')
const remove = operation('deleteView', 'Remove a view', 'For its owner, and superusers where it is shared.')
