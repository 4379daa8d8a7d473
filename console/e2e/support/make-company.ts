import type { ApiCall } from './api.ts'
import type { Credentials } from './browser.ts'

const password = 'a chair for every desk'

/** Who buys in a company of `makeCompany`. */
export const people = {
  branch: { email: 'branch@buyer.example', password },
  headOffice: { email: 'head@buyer.example', password },
} as const satisfies Record<string, Credentials>

/** Makes a company of a head office and a branch, with a buyer in each, and two products that it can order. */
export const makeCompany = async (call: ApiCall): Promise<void> => {
  const division = (body: object) => call<{ id: number }>('POST /api/v1/divisions', body)
  const head = await division({ name: 'Oak Hotels', erp_code: 'OAK' })
  const branch = await division({ name: 'Oak Ankara', erp_code: 'OAK-ANK', parent: head.id })
  await call('POST /api/v1/users', { ...people.headOffice, first_name: 'Hale', last_name: 'Usta', division: head.id })
  await call('POST /api/v1/users', { ...people.branch, first_name: 'Bora', last_name: 'Tan', division: branch.id })
  await call('POST /api/v1/products', { remote_id: 1, sku: 'CHAIR', name: 'Chair', price: '40.00', currency: 'EUR' })
  await call('POST /api/v1/products', { remote_id: 2, sku: 'DESK', name: 'Desk', price: '200.00', currency: 'EUR' })
}
