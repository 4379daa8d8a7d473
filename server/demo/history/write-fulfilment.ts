import type { RunScript } from '#platform/db/database.ts'
import { insertRows } from '../rows.ts'
import type { PackageHistory } from './packages.ts'
import type { TransferHistory } from './transfers.ts'

/** Writes packages, shipments and transfers with their histories, and lets the next ones be numbered after them. */
export const writeFulfilment = async (
  run: RunScript,
  packages: PackageHistory,
  transfers: TransferHistory,
): Promise<void> => {
  await insertRows(run, 'packages', packages.packages)
  await insertRows(run, 'package_items', packages.items)
  await insertRows(run, 'package_history', packages.changes)
  await insertRows(run, 'shipments', packages.shipments)
  await insertRows(run, 'transfers', transfers.transfers)
  await insertRows(run, 'transfer_items', transfers.items)
  await insertRows(run, 'transfer_history', transfers.changes)
  for (const table of ['packages', 'shipments', 'transfers'])
    await run(`select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`)
  await run(`select setval('package_numbers', $1)`, [packages.packages.length])
  await run(`select setval('transfer_numbers', $1)`, [transfers.transfers.length])
}
