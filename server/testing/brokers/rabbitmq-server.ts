import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'amqplib'
import { freePort } from '../../../tools/free-port.ts'
import { prepareServer, scratchDirectory, type DebianServer } from './debian-server.ts'
import { account } from './nats-server.ts'

/** Not the one of /usr/sbin, which writes into folders of the system. */
export const rabbitmqCommand = '/usr/lib/rabbitmq/bin/rabbitmq-server'

/** Its own virtual host, whose name has to be written with an escape in a URL. */
export const virtualHost = 'ship/ping'

/** A RabbitMQ node for the one account. @param tls paths of certificate and key. */
export const startRabbitmq = async (tls?: { cert: string; key: string }): Promise<DebianServer> => {
  const [port, distribution, epmd] = await Promise.all([freePort(), freePort(), freePort()])
  const directory = scratchDirectory('rabbitmq')
  const file = (name: string): string => join(directory, name)
  const { user, password } = account
  writeFileSync(file('definitions.json'), JSON.stringify(definitions))
  writeFileSync(file('enabled_plugins'), '[].')
  writeFileSync(
    file('rabbitmq.conf'),
    `${tls === undefined ? `listeners.tcp.1 = 127.0.0.1:${port}` : `listeners.tcp = none\nlisteners.ssl.1 = 127.0.0.1:${port}\nssl_options.certfile = ${tls.cert}\nssl_options.keyfile = ${tls.key}\nssl_options.verify = verify_none`}
log.console = true
log.file = false
load_definitions = ${file('definitions.json')}
`,
  )
  const isReady = async (): Promise<boolean> => {
    if (tls !== undefined) return true
    const options = { protocol: 'amqp', hostname: '127.0.0.1', port, username: user, password }
    const connection = await connect({ ...options, vhost: encodeURIComponent(virtualHost) }).catch(() => undefined)
    await connection?.close()
    return connection !== undefined
  }
  const environment = {
    RABBITMQ_NODENAME: `waybill${port}@localhost`,
    RABBITMQ_DIST_PORT: String(distribution),
    ERL_EPMD_PORT: String(epmd),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    // Lets it be ended while it knows of a node that was killed.
    ERL_EPMD_RELAXED_COMMAND_CHECK: 'true',
    RABBITMQ_MNESIA_BASE: file('mnesia'),
    RABBITMQ_LOG_BASE: file('log'),
    RABBITMQ_CONFIG_FILE: file('rabbitmq.conf'),
    RABBITMQ_ENABLED_PLUGINS_FILE: file('enabled_plugins'),
    RABBITMQ_PID_FILE: file('pid'),
    // Schedulers that wait for work would take both cores of a small machine from everything else.
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '+sbwt none +sbwtdcpu none +sbwtdio none +S 2:2',
  }
  const afterwards = (): void => void spawnSync('epmd', ['-port', String(epmd), '-kill'])
  const server = prepareServer({
    command: rabbitmqCommand,
    args: [],
    environment,
    port,
    directory,
    isReady,
    afterwards,
  })
  await server.start()
  return server
}

const definitions = {
  users: [account.user, 'narrow'].map((name) => ({ name, password: account.password, tags: [] })),
  vhosts: [{ name: '/' }, { name: virtualHost }],
  permissions: [
    ...['/', virtualHost].map((vhost) => ({ user: account.user, vhost, configure: '.*', write: '.*', read: '.*' })),
    { user: 'narrow', vhost: virtualHost, configure: '^$', write: '^allowed$', read: '^$' },
  ],
}
