import { describe } from 'vitest'
import { makeFulfilment, type PackageBody } from '#testing/data/make-fulfilment.ts'
import { makeTestApp } from '#testing/make-test-app.ts'
import { testLifecycle } from '#testing/test-lifecycle.ts'
import { canTakeShipment, packageLifecycle, type PackageTerms } from './lifecycle.ts'

const { call, database } = await makeTestApp()
const fulfilment = makeFulfilment({ call })

describe.each([
  { of: 'a package', hasShipment: false },
  { of: 'a package that has a shipment as soon as it can', hasShipment: true },
])('every action in every status of $of', ({ hasShipment }) => {
  testLifecycle<PackageTerms, PackageBody>({
    lifecycle: packageLifecycle,
    database,
    about: 'package',
    requesters: [{ who: 'an operator', part: {}, call }],
    async reach(status) {
      const parcel = await fulfilment.packageIn(status)
      if (hasShipment && parcel.shipment === null && canTakeShipment(status)) await fulfilment.shipment(parcel.id)
      return parcel
    },
    situation: ({ status, shipment: shipmentId }) => ({ status, shipmentId }),
    url: (id) => `/api/v1/packages/${id}/`,
    async request(action, url, move) {
      const body = {
        ...(move?.needs === 'location' ? { stock_location: await fulfilment.location({ CHAIR: 1 }) } : {}),
        ...(move?.needs === 'disposition' ? { disposition: 'restock' } : {}),
      }
      return ['POST', `${url}${action}/`, body]
    },
    raises(parcel, { to }) {
      const { allowed_actions: _, blocked_actions: ___, quotation_order: __, ...data } = parcel
      return [{ type: `package.status.${to}`, data }]
    },
  })
})
