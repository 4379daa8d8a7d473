// Which file may import which (ARCHITECTURE.md draws it): platform ← events ← delivery ← failures ←
// domains ← compose ← main. Every rule here is proven by tools/dependency-rules.test.ts with a seeded violation.
// Paths are matched after resolving, so `#platform/x.ts` and a relative path are the same thing.

const compose = '^server/compose(/|\\.ts$)'
const testCode = '(^server/testing/|\\.test\\.ts$)'
const package_ = (name) => `node_modules/(@types/)?${name}/`
const storeFiles = '/(store|[^/]+-store|queries)\\.ts$'
const routeFiles = '/(routes|[^/]+-routes)\\.ts$'

/** Imports of code that is not test code are what the rules are about; a test may import anything. */
const forbid = (name, comment, from, to) => ({
  name,
  comment,
  severity: 'error',
  from: { ...from, pathNot: [testCode, ...(from.pathNot ?? [])] },
  to,
})

/** Inside b2b, a slice uses only slices of the rows before its own. */
const b2bRows = [
  ['settings', 'divisions', 'products', 'discounts'],
  ['prices'],
  ['baskets'],
  ['quotations'],
  ['orders'],
  ['exports', 'comments'],
]
const b2b = (slices) => `^server/domains/b2b/(${slices.join('|')})/`
const b2bOrder = b2bRows
  .slice(0, -1)
  .map((row, index) =>
    forbid(
      'b2b-order',
      'settings, divisions, products, discounts → prices → baskets → quotations → orders → exports, comments.',
      { path: b2b(row) },
      { path: b2b(b2bRows.slice(index + 1).flat()) },
    ),
  )

/** Rooms of delivery from the bottom up: one uses only those before it, and engine.ts, the door, uses all. */
const deliveryRooms = [
  ['tables', 'outbound', 'inbound', 'subscriber', 'secrets', 'queue', 'order', 'outbox', 'health', 'subscriptions'],
  ['attempt', 'worker', 'log', 'redelivery', 'upkeep', 'explain', 'surface'],
].flat()
const delivery = (rooms) => `^server/delivery/(${rooms.join('|')})/`
const deliveryOrder = [
  ...deliveryRooms.map((room, index) =>
    forbid(
      'delivery-order',
      'A room of delivery imports only rooms before it: rooms that import each other are one room.',
      { path: delivery([room]) },
      { path: ['^server/delivery/[^/]+$', ...deliveryRooms.slice(index + 1).map((above) => delivery([above]))] },
    ),
  ),
  forbid(
    'delivery-order',
    'A new room takes its place among `deliveryRooms`.',
    { path: '^server/' },
    { path: `^server/delivery/(?!(${deliveryRooms.join('|')})/)[^/]+/` },
  ),
]

const layers = [
  forbid(
    'platform-knows-nothing-above',
    'platform imports no events, delivery or domains.',
    { path: '^server/platform/' },
    { path: '^server/(?!platform/)' },
  ),
  forbid(
    'events-know-only-platform',
    'The event catalogue imports only platform.',
    { path: '^server/events/' },
    { path: '^server/(?!(platform|events)/)' },
  ),
  forbid(
    'delivery-knows-no-domain',
    'Delivery learns of subscribers through a port that compose.ts fills.',
    { path: '^server/delivery/' },
    { path: '^server/(?!(platform|events|delivery)/)' },
  ),
  forbid(
    'surface-is-on-top',
    'Inside delivery, surface/ is used by nobody: it is what domains build their part of the API with.',
    { path: '^server/delivery/', pathNot: ['^server/delivery/surface/'] },
    { path: '^server/delivery/surface/' },
  ),
  forbid(
    'failures-know-no-domain',
    'Failures get functions of domains from compose.ts.',
    { path: '^server/failures/' },
    { path: '^server/(?!(platform|events|delivery|failures)/)' },
  ),
  forbid(
    'domains-know-no-compose',
    'A domain is given what it needs; it does not reach up for it.',
    { path: '^server/domains/' },
    { path: '^server/(?!(platform|events|delivery|failures|domains)/)' },
  ),
  forbid(
    'domains-are-strangers',
    'A domain gets a function or port of another domain from compose.ts.',
    { path: '^server/domains/([^/]+)/' },
    { path: '^server/domains/', pathNot: '^server/domains/$1/' },
  ),
  forbid(
    'slice-door',
    "Inside a domain, another slice is used through its index.ts (a domain's own files included).",
    { path: '^server/domains/([^/]+)/([^/]+)(/|\\.ts$)' },
    { path: '^server/domains/$1/[^/]+/', pathNot: ['^server/domains/$1/$2/', '^server/domains/$1/[^/]+/index\\.ts$'] },
  ),
  ...b2bOrder,
  ...deliveryOrder,
  forbid(
    'only-compose-knows-domains',
    'Only compose.ts imports domains from outside.',
    { path: '^(server|tools|bench)/', pathNot: ['^server/domains/', compose] },
    { path: '^server/domains/' },
  ),
  forbid(
    'only-main-composes',
    'Only serve.ts and the commands that need all of a server import compose (tests, tools and the benchmark start the server their own way).',
    { path: '^server/', pathNot: ['^server/serve\\.ts$', '^server/commands/installation/', compose] },
    { path: compose },
  ),
  forbid(
    'demo-knows-no-domain',
    'A demo is made through the API, and in the tables of delivery: it needs nothing of a domain.',
    { path: '^server/demo/' },
    { path: '^server/(?!(platform|events|delivery|demo)/)' },
  ),
  forbid(
    'only-a-demo-start-loads-the-demo',
    'start.ts and serve.ts load it where --demo asks for it: no other start does.',
    { path: '^server/', pathNot: ['^server/(start|serve)\\.ts$', '^server/demo/'] },
    { path: '^server/demo/' },
  ),
  forbid(
    'only-a-demo-start-loads-the-demo',
    'They import it while they run.',
    { path: '^server/(start|serve)\\.ts$' },
    { path: '^server/demo/', dynamic: false, dependencyTypesNot: ['type-only'] },
  ),
]

const commands = [
  forbid(
    'commands-are-on-top',
    'Commands use the server; nothing of it uses them. Only waybill.ts loads them.',
    { path: '^(server|tools|bench)/', pathNot: ['^server/waybill\\.ts$', '^server/commands/'] },
    { path: '^server/commands/' },
  ),
  forbid(
    'commands-of-the-api-ask-a-server',
    'They know it as anybody does who has its address: what it is made of they do not load.',
    { path: '^server/commands/(api|tools)/' },
    { path: '^server/(?!commands/)', pathNot: ['^server/commands/'] },
  ),
]

const purity = [
  forbid(
    'sql-in-stores',
    'In a domain only store.ts, *-store.ts and queries.ts speak SQL.',
    { path: '^server/domains/', pathNot: [storeFiles] },
    { path: [package_('kysely'), package_('pg')] },
  ),
  forbid(
    'http-in-routes',
    'In a domain only routes.ts and *-routes.ts know HTTP.',
    { path: '^server/domains/', pathNot: [routeFiles] },
    { path: package_('fastify') },
  ),
  forbid(
    'http-in-surface',
    'In delivery only surface/ knows HTTP.',
    { path: '^server/delivery/', pathNot: ['^server/delivery/surface/'] },
    { path: [package_('fastify'), '^server/platform/http/'] },
  ),
  forbid(
    'sql-below-surface',
    'surface/ speaks no SQL: it puts together what the rest of delivery reads and writes.',
    { path: '^server/delivery/surface/' },
    { path: [package_('kysely'), package_('pg')] },
  ),
  forbid(
    'domains-do-no-io',
    'Files, sockets, processes and randomness are reached through platform, so rules stay pure.',
    { path: '^server/domains/' },
    { dependencyTypes: ['core'], pathNot: '^(node:)?(assert|buffer|stream|util)(/|$)' },
  ),
  forbid(
    'events-know-no-machinery',
    'The catalogue is data: no SQL, no HTTP.',
    { path: '^server/events/' },
    { path: [package_('kysely'), package_('pg'), package_('fastify')] },
  ),
]

const hygiene = [
  {
    name: 'no-cycles',
    comment: 'Type-only imports count: a cycle of types is a cycle of ideas.',
    severity: 'error',
    from: {},
    to: { circular: true },
  },
  {
    name: 'no-orphans',
    comment: 'Nothing imports it and it imports nothing: it is dead, or not wired in.',
    severity: 'error',
    from: {
      orphan: true,
      pathNot: [
        '^server/main\\.ts$',
        testCode,
        '^tools/',
        '^bench/',
        '^guide/(assets|dist)/',
        '\\.config\\.ts$',
        '\\.d\\.ts$',
        '^console/src/(shop/)?main\\.tsx$',
      ],
    },
    to: {},
  },
  forbid('no-test-code-in-product', 'Product code never imports test code.', { path: '^server/' }, { path: testCode }),
  forbid(
    'no-dev-dependency-in-product',
    'What the server imports is installed with it.',
    { path: '^server/' },
    {
      dependencyTypes: ['npm-dev'],
      // Declarations only; the package they describe is checked by itself.
      pathNot: 'node_modules/@types/',
    },
  ),
  {
    name: 'declared-packages-only',
    comment: 'A package that package.json does not name is there by luck.',
    severity: 'error',
    from: {},
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  },
  {
    name: 'resolvable-imports-only',
    comment: 'What cannot be resolved cannot be checked.',
    severity: 'error',
    from: {},
    to: { couldNotResolve: true },
  },
]

/** The rooms of the console, lowest first: each imports itself and those before it. */
const consoleRooms = ['api', 'ui', 'parts', 'features', 'shell']
const console_ = [
  ...consoleRooms
    .slice(0, -1)
    .map((room, index) =>
      forbid(
        `console-${room}-looks-down`,
        `In the console, ${room} imports only ${consoleRooms.slice(0, index + 1).join(', ')}.`,
        { path: `^console/src/${room}/` },
        { path: `^console/src/(${consoleRooms.slice(index + 1).join('|')})/` },
      ),
    ),
  forbid(
    'console-features-are-strangers',
    'A feature of the console does not import another; what two need is a part of ui/.',
    { path: '^console/src/features/([^/]+)/' },
    { path: '^console/src/features/', pathNot: '^console/src/features/$1/' },
  ),
  forbid(
    'console-ui-fetches-nothing',
    'Parts of ui/ show what they are given; only lists ask, for the screen that describes them.',
    { path: '^console/src/ui/', pathNot: ['^console/src/ui/list/'] },
    { path: '^console/src/api/(client|queries)\\.ts$' },
  ),
  forbid(
    'console-knows-no-server',
    'The console knows the API by its description alone, and the rule of money, which is pure: amounts are not computed twice.',
    { path: '^console/src/' },
    {
      path: '^(server|tools|bench)/',
      pathNot: ['^server/domains/b2b/money/index\\.ts$', '^server/platform/money\\.ts$'],
    },
  ),
  forbid(
    'console-shop-stands-alone',
    'The shop is a page of its own: of the console it imports api and ui, and nothing imports it.',
    { path: '^console/src/shop/' },
    { path: '^console/src/(parts|features|shell)/' },
  ),
  forbid(
    'console-shop-stands-alone',
    'The shop is a page of its own.',
    { path: '^console/src/', pathNot: ['^console/src/shop/'] },
    { path: '^console/src/shop/' },
  ),
  {
    name: 'console-shop-is-light',
    comment: 'The shop is first of all for phones: nothing that it reaches is made of Mantine.',
    severity: 'error',
    from: { path: '^console/src/shop/' },
    to: { path: package_('@mantine'), reachable: true },
  },
  forbid(
    'server-knows-no-console',
    'The server serves the files of the console.',
    { path: '^server/' },
    { path: '^console/' },
  ),
]

module.exports = {
  forbidden: [...layers, ...commands, ...purity, ...console_, ...hygiene],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Sees `import type`, which is erased before anything runs. Needs the TypeScript 6 API: see package.json.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.cjs', '.js', '.json', '.css'],
    },
  },
}
