import { openDatabase } from '#platform/db/open.ts'

// A process with nothing but an open database: what a server can at best start in and do with.
const [directory = '', url] = process.argv.slice(2)
const database = await openDatabase({ directory, url, poolSize: 2 })
await database.ping()
process.stdout.write('open\n')
process.once('SIGTERM', () => process.exit(0))
setInterval(() => undefined, 60_000)
