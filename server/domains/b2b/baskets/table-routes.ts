import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Tx } from '#platform/db/database.ts'
import { attachment } from '#platform/http/attachment.ts'
import { acceptTables, formatOf } from '#platform/http/table-body.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { makeUserQueue } from '#platform/http/user-queue.ts'
import { contentTypeOf } from '#platform/spreadsheets/table-file.ts'
import type { RemainingOf } from '../divisions/index.ts'
import { readTable, undone } from '../imports/index.ts'
import { buyerOf } from './buyer.ts'
import { exportBasket } from './export-basket.ts'
import { importBasket } from './import-basket.ts'
import { showBasket } from './remaining.ts'
import { readBasket } from './store.ts'
import { importColumns } from './table-columns.ts'
import { exportOptions, importOptions } from './table-schemas.ts'
import { openBasket } from './whole-basket.ts'

/** Tables of a buyer that wait for each other: each takes a thread, of which there are few. */
const maxWaiting = 5

/** The basket as a table: a file to fill it from, and a file of what is in it. */
export const basketTableRoutes =
  ({ db, clock, write, remainingOf }: SliceDeps & { readonly remainingOf: RemainingOf }): FastifyPluginAsyncTypebox =>
  async (app) => {
    const userQueue = makeUserQueue(maxWaiting)

    // As in the other routes of the basket: by the schema it would take four times as long.
    app.setReplySerializer((answer) => JSON.stringify(answer))
    // Before the body is looked at: 403 comes before 400.
    app.addHook('onRequest', async ({ principal }) => void buyerOf(principal))
    acceptTables(app, ['csv', 'xlsx'])

    app.post('/api/v1/basket/import', importOptions, async (request, reply) => {
      const { dry_run: isDryRun, replace } = request.query
      const buyer = { ...buyerOf(request.principal), at: clock.now() }
      const { divisionId } = buyer
      return userQueue(buyer.userId, async () => {
        // Before a transaction is begun: this can take seconds.
        const table = await readTable(formatOf(request.headers['content-type']), request.body, importColumns)
        const change = async (tx: Tx) =>
          showBasket(tx, await importBasket(tx, buyer, table, { replace }), { divisionId, remainingOf })
        // Changes nothing, so an Idempotency-Key that was used for it is still good for the import itself.
        if (isDryRun) return undone(db, change)
        return write(request, reply, async (tx) => ({ status: 200, body: await change(tx) }))
      })
    })

    app.get('/api/v1/basket/export', exportOptions, async ({ principal, query: { format } }, reply) => {
      const buyer = { ...buyerOf(principal), at: clock.now() }
      const { userId } = buyer
      const file = await userQueue(userId, async () =>
        exportBasket(await readBasket(db, await openBasket(db, userId), buyer), format),
      )
      const name = `basket-${clock.now().toISOString().slice(0, 10)}.${format}`
      return reply
        .type(contentTypeOf[format])
        .headers({ 'content-disposition': attachment(name), 'cache-control': 'private, no-store' })
        .send(file)
    })
  }
