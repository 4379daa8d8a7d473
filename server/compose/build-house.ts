import { readFirstSteps } from '#delivery/health/troubled.ts'
import type { makeAppCenter } from '#domains/app-center/index.ts'
import type { makeErrorReports } from '#domains/error-reports/index.ts'
import type { makeFlows } from '#domains/flows/index.ts'
import { makeHouse } from '#domains/house/index.ts'
import type { makeIdentity } from '#domains/identity/index.ts'
import type { makeHooks } from '#domains/order-management/hooks/index.ts'
import type { makeOrderManagement } from '#domains/order-management/index.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import type { buildB2b } from './build-b2b.ts'

interface BuildHouseDeps {
  readonly shared: SliceDeps
  readonly identity: ReturnType<typeof makeIdentity>
  readonly orderManagement: ReturnType<typeof makeOrderManagement>
  readonly hooks: ReturnType<typeof makeHooks>
  readonly appCenter: ReturnType<typeof makeAppCenter>
  readonly flows: ReturnType<typeof makeFlows>
  readonly errorReports: ReturnType<typeof makeErrorReports>
  readonly b2b: ReturnType<typeof buildB2b>
}

/** What is of no one domain, with what each of them knows. */
export const buildHouse = ({ shared, identity, orderManagement, hooks, ...others }: BuildHouseDeps) => {
  const { appCenter, flows, errorReports, b2b } = others
  return makeHouse({
    ...shared,
    needs: [hooks, appCenter, flows, errorReports, b2b, orderManagement].map(({ findNeeds }) => findNeeds),
    finds: [b2b, orderManagement, hooks, errorReports, identity, appCenter, flows].map(({ find }) => find),
    activityOf: hooks.activityOf,
    setup: async () => {
      const [steps, hasStockLocation, hasSecondUser] = await Promise.all([
        readFirstSteps(shared.db),
        orderManagement.anyLocation(),
        identity.areSeveralUsers(),
      ])
      return { ...steps, hasStockLocation, hasSecondUser }
    },
  })
}
