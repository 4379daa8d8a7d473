import { createRequire } from 'node:module'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkDependencies, type DependencyReport } from './dependencies.ts'

const projectRoot = join(import.meta.dirname, '..')

/** A file that imports one thing: [the rule it breaks, the file, what it imports]. */
const seeded: readonly (readonly [string, string, string])[] = [
  ['platform-knows-nothing-above', 'server/platform/up.ts', '#events/catalogue.ts'],
  ['platform-knows-nothing-above', 'server/platform/up-type.ts', 'type #delivery/queue.ts'],
  ['events-know-only-platform', 'server/events/up.ts', '../delivery/queue.ts'],
  ['events-know-no-machinery', 'server/events/sql.ts', 'kysely'],
  ['delivery-knows-no-domain', 'server/delivery/up.ts', '#domains/flows/index.ts'],
  ['surface-is-on-top', 'server/delivery/log.ts', './surface/list-routes.ts'],
  ['http-in-surface', 'server/delivery/answer.ts', 'type fastify'],
  ['http-in-surface', 'server/delivery/answer-schema.ts', '#platform/http/schemas.ts'],
  ['sql-below-surface', 'server/delivery/surface/rows.ts', 'type kysely'],
  ['delivery-knows-no-domain', 'server/delivery/up-to-failures.ts', '#failures/reporter.ts'],
  ['failures-know-no-domain', 'server/failures/up.ts', 'type #domains/flows/index.ts'],
  ['domains-know-no-compose', 'server/domains/flows/up.ts', '../../compose.ts'],
  ['domains-are-strangers', 'server/domains/flows/stranger.ts', 'type #domains/identity/index.ts'],
  ['slice-door', 'server/domains/b2b/quotations/prices.ts', '../products/store.ts'],
  ['slice-door', 'server/domains/b2b/shared.ts', './products/store.ts'],
  ['delivery-order', 'server/delivery/queue/up.ts', 'type ../worker/worker.ts'],
  ['delivery-order', 'server/delivery/worker/door.ts', '../engine.ts'],
  ['delivery-order', 'server/delivery/engine-of-nowhere.ts', './nowhere/new.ts'],
  ['b2b-order', 'server/domains/b2b/products/prices.ts', '../quotations/index.ts'],
  ['b2b-order', 'server/domains/b2b/products/lists.ts', '../prices/index.ts'],
  ['b2b-order', 'server/domains/b2b/prices/late.ts', '../quotations/index.ts'],
  ['b2b-order', 'server/domains/b2b/baskets/prices.ts', '../orders/index.ts'],
  ['b2b-order', 'server/domains/b2b/quotations/late.ts', '../orders/index.ts'],
  ['b2b-order', 'server/domains/b2b/orders/late.ts', '../exports/index.ts'],
  ['only-compose-knows-domains', 'server/other.ts', '#domains/flows/index.ts'],
  ['only-compose-knows-domains', 'bench/domain.ts', '#domains/flows/index.ts'],
  ['only-main-composes', 'server/second-main.ts', './compose.ts'],
  ['demo-knows-no-domain', 'server/demo/people.ts', '#domains/flows/index.ts'],
  ['demo-knows-no-domain', 'server/demo/start.ts', '../compose.ts'],
  ['only-a-demo-start-loads-the-demo', 'server/listener.ts', './demo/open-demo.ts'],
  ['only-a-demo-start-loads-the-demo', 'server/start.ts', './demo/open-demo.ts'],
  ['commands-are-on-top', 'server/teller.ts', './commands/installation/rotate-key.ts'],
  ['commands-of-the-api-ask-a-server', 'server/commands/api/peek.ts', '#platform/clock.ts'],
  ['sql-in-stores', 'server/domains/flows/rules.ts', 'type kysely'],
  ['sql-in-stores', 'server/domains/b2b/quotations/routes.ts', 'kysely'],
  ['http-in-routes', 'server/domains/flows/handler.ts', 'type fastify'],
  ['domains-do-no-io', 'server/domains/flows/files.ts', 'node:fs'],
  ['no-cycles', 'server/platform/cycle-a.ts', 'type ./cycle-b.ts'],
  ['no-test-code-in-product', 'server/platform/cheat.ts', '#testing/app.ts'],
  ['no-test-code-in-product', 'server/platform/cheat-test.ts', './clock.test.ts'],
  ['no-dev-dependency-in-product', 'server/platform/dev.ts', 'vitest'],
  ['declared-packages-only', 'server/platform/lucky.ts', 'undeclared'],
  ['console-api-looks-down', 'console/src/api/up.ts', 'type #ui/drawer.tsx'],
  ['console-ui-looks-down', 'console/src/ui/up.ts', '#features/users/users-screen.tsx'],
  ['console-parts-looks-down', 'console/src/parts/up.ts', '#features/users/users-screen.tsx'],
  ['console-features-looks-down', 'console/src/features/users/up.ts', '#shell/router.tsx'],
  ['console-features-are-strangers', 'console/src/features/users/stranger.ts', '../hooks/hooks-screen.tsx'],
  ['console-ui-fetches-nothing', 'console/src/ui/fetching.ts', '#api/queries.ts'],
  ['console-knows-no-server', 'console/src/api/rules.ts', '#platform/clock.ts'],
  ['console-knows-no-server', 'console/src/features/users/rules.ts', '#domains/b2b/quotations/index.ts'],
  ['console-shop-stands-alone', 'console/src/shop/stranger.ts', '#features/users/users-screen.tsx'],
  ['console-shop-stands-alone', 'console/src/shell/shopper.ts', '../shop/price.ts'],
  ['console-shop-is-light', 'console/src/shop/heavy.ts', '#ui/action.tsx'],
  ['server-knows-no-console', 'server/page.ts', '#api/queries.ts'],
  ['resolvable-imports-only', 'server/platform/lost.ts', './nowhere.ts'],
]

/** What the rules must let pass, so that none of them is stricter than it says. */
const allowed: readonly (readonly [string, string])[] = [
  ['console/src/api/client.ts', 'vitest'],
  ['console/src/api/queries.ts', './client.ts'],
  ['console/src/ui/drawer.tsx', '#ui/list/use-list.ts'],
  ['console/src/ui/list/use-list.ts', '#api/queries.ts'],
  ['console/src/ui/action.tsx', '@mantine/core'],
  ['console/src/shop/price.ts', '#platform/money.ts'],
  ['server/platform/money.ts', 'node:util'],
  ['server/domains/b2b/money/index.ts', '#platform/money.ts'],
  ['console/src/shop/basket.ts', '#ui/list/search-text.ts'],
  ['console/src/ui/list/search-text.ts', './use-list.ts'],
  ['console/src/features/users/users-screen.tsx', '#ui/drawer.tsx'],
  ['console/src/features/hooks/hooks-screen.tsx', '#api/queries.ts'],
  ['console/src/shell/router.tsx', '#features/users/users-screen.tsx'],
  ['console/src/features/quotations/price.ts', '#domains/b2b/money/index.ts'],
  ['console/src/features/quotations/amounts.ts', '#platform/money.ts'],
  ['server/serve.ts', './compose.ts'],
  ['server/demo/open-demo.ts', '#delivery/queue.ts'],
  ['server/commands/installation/rotate-key.ts', '../../compose/key-rotation.ts'],
  ['server/waybill.ts', './commands/installation/rotate-key.ts'],
  ['server/compose/key-rotation.ts', '#domains/flows/index.ts'],
  ['server/compose.ts', '#domains/flows/index.ts'],
  ['server/domains/flows/index.ts', '#delivery/queue.ts'],
  ['server/domains/flows/routes.ts', 'fastify'],
  ['server/domains/flows/run-store.ts', 'kysely'],
  ['server/domains/flows/rules.test.ts', '#domains/identity/index.ts'],
  ['server/domains/identity/index.ts', '#events/catalogue.ts'],
  ['server/domains/b2b/index.ts', './orders/index.ts'],
  ['server/domains/b2b/orders/index.ts', '../quotations/index.ts'],
  ['server/domains/b2b/exports/index.ts', '../orders/index.ts'],
  ['server/domains/b2b/quotations/index.ts', '../products/index.ts'],
  ['server/domains/b2b/prices/index.ts', '../products/index.ts'],
  ['server/domains/b2b/products/index.ts', './store.ts'],
  ['server/domains/b2b/products/store.ts', 'kysely'],
  ['server/delivery/engine.ts', './worker/worker.ts'],
  ['server/delivery/worker/worker.ts', '../queue/claim.ts'],
  ['server/delivery/queue/claim.ts', '#platform/clock.ts'],
  ['server/domains/identity/reports.ts', '#failures/reporter.ts'],
  ['server/failures/reporter.ts', '#delivery/queue.ts'],
  ['server/delivery/queue.ts', '#events/catalogue.ts'],
  ['server/delivery/surface/list-routes.ts', 'fastify'],
  ['server/platform/http/schemas.ts', 'fastify'],
  ['server/events/catalogue.ts', '#platform/clock.ts'],
  ['server/platform/clock.ts', 'node:timers'],
  ['server/platform/clock.test.ts', 'vitest'],
  ['server/testing/app.ts', '../compose.ts'],
  ['tools/openapi.ts', '../server/compose.ts'],
  ['bench/main.ts', '../server/compose.ts'],
]

/** Files that a seeded one needs beside it. */
const companions: readonly (readonly [string, string])[] = [
  ['server/platform/cycle-b.ts', 'type ./cycle-a.ts'],
  ['server/delivery/nowhere/new.ts', '#platform/clock.ts'],
]

const orphan = 'server/platform/orphan.ts'

const importing = (target: string): string =>
  target.startsWith('type ')
    ? `import type * as imported from '${target.slice(5)}'\nexport type Imported = typeof imported\n`
    : `import * as imported from '${target}'\nexport const value = imported\n`

let root = ''
let clean: DependencyReport
let broken: DependencyReport

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'waybill-rules-'))
  for (const file of ['.dependency-cruiser.cjs', 'tsconfig.json', 'package.json'])
    cpSync(join(projectRoot, file), join(root, file))
  for (const name of ['kysely', 'fastify', 'vitest', '@mantine/core', 'undeclared']) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' }))
    write(`node_modules/${name}/index.js`, 'module.exports = {}\n')
  }
  for (const [file, target] of allowed) write(file, importing(target))
  clean = await checkDependencies(root)
  for (const [, file, target] of seeded) write(file, importing(target))
  for (const [file, target] of companions) write(file, importing(target))
  write(orphan, 'export const forgotten = 1\n')
  broken = await checkDependencies(root)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const write = (file: string, text: string): void => {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

describe('the dependency rules', () => {
  test('pass a tree whose imports are all allowed', () => {
    expect(clean).toEqual({ violations: [], unseen: [], moduleCount: allowed.length })
  })

  test.each(seeded)('%s fails %s importing %s', (rule, file) => {
    expect(broken.violations.filter(({ from }) => from === file).map((violation) => violation.rule)).toContain(rule)
  })

  test('no-orphans fails a file that nothing uses', () => {
    expect(broken.violations).toContainEqual({ rule: 'no-orphans', from: orphan, to: orphan })
  })

  test('are each proven here', () => {
    const config = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as { forbidden: { name: string }[] }
    const proven = new Set(['no-orphans', ...seeded.map(([rule]) => rule)])
    expect(new Set(config.forbidden.map(({ name }) => name))).toEqual(proven)
  })
})
