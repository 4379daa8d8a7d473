import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../../tools/free-port.ts'
import { prepareServer, scratchDirectory, type DebianServer } from './debian-server.ts'
import { account } from './nats-server.ts'

export const redisCommand = '/usr/bin/redis-server'

/** A Redis that writes everything to its disk, for the one account. @param tls paths of certificate and key. */
export const startRedis = async (tls?: { cert: string; key: string }): Promise<DebianServer> => {
  const [port, directory] = [await freePort(), scratchDirectory('redis')]
  const file = join(directory, 'redis.conf')
  const secure = `port 0
tls-port ${port}
tls-cert-file ${tls?.cert}
tls-key-file ${tls?.key}
tls-ca-cert-file ${tls?.cert}
tls-auth-clients no`
  writeFileSync(
    file,
    `bind 127.0.0.1
${tls === undefined ? `port ${port}` : secure}
dir ${directory}
save ""
appendonly yes
user default off
user ${account.user} on #${sha256(account.password)} ~* +@all
user narrow on #${sha256(account.password)} ~allowed* +xadd
`,
  )
  const server = prepareServer({ command: redisCommand, args: [file], port, directory })
  await server.start()
  return server
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
