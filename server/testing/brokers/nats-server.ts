import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../../tools/free-port.ts'
import { prepareServer, scratchDirectory, type DebianServer } from './debian-server.ts'

export const natsCommand = '/usr/sbin/nats-server'

/** The account of every broker of these tests. */
export const account = { user: 'waybill', password: 'pass word/1' }

/** A NATS server with JetStream, for the one account. @param tls paths of certificate and key. */
export const startNats = async (tls?: { cert: string; key: string }): Promise<DebianServer> => {
  const directory = scratchDirectory('nats')
  const server = prepared(directory, await freePort(), '', tls)
  await server.start()
  return server
}

/** Three of them that replicate each other's streams. */
export const startNatsCluster = async (): Promise<readonly DebianServer[]> => {
  const routes = await Promise.all([freePort(), freePort(), freePort()])
  const list = routes.map((port) => `nats-route://127.0.0.1:${port}`).join(', ')
  const servers = await Promise.all(
    routes.map(async (route, index) =>
      prepared(
        scratchDirectory('nats'),
        await freePort(),
        `server_name: n${index}\ncluster { name: waybill, listen: "127.0.0.1:${route}", routes: [${list}] }\n`,
      ),
    ),
  )
  await Promise.all(servers.map((server) => server.start()))
  return servers
}

const prepared = (directory: string, port: number, more: string, tls?: { cert: string; key: string }): DebianServer => {
  const file = join(directory, 'nats.conf')
  writeFileSync(
    file,
    `listen: "127.0.0.1:${port}"
jetstream { store_dir: "${directory}/data" }
authorization { users: [
  { user: ${account.user}, password: "${account.password}" }
  { user: narrow, password: "${account.password}", permissions: { publish: ["orders.allowed"], subscribe: ["_INBOX.>"] } }
] }
${more}${tls === undefined ? '' : `tls { cert_file: "${tls.cert}", key_file: "${tls.key}" }\n`}`,
  )
  return prepareServer({ command: natsCommand, args: ['-c', file], port, directory })
}
