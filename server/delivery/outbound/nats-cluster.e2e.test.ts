import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { afterAll, expect, test } from 'vitest'
import { natsTo } from '#testing/brokers/broker-kinds.ts'
import { isInstalled, type DebianServer } from '#testing/brokers/debian-server.ts'
import { account, natsCommand, startNatsCluster } from '#testing/brokers/nats-server.ts'
import { eventually } from '#testing/eventually.ts'
import { makeGuard } from './guard/guard.ts'
import { makeSender } from './sender.ts'

const authorization = `Basic ${Buffer.from(`${account.user}:${account.password}`).toString('base64')}`
let nodes: readonly DebianServer[] = []
const sender = makeSender({
  guard: makeGuard({ allowedNetworks: [], allowLoopback: true }),
  exchangeTimeoutMs: 5_000,
})
afterAll(async () => {
  await sender.close()
  await Promise.all(nodes.map((node) => node.stop()))
})

test.skipIf(!isInstalled(natsCommand))(
  'of three nodes the one that deliveries go to is killed under load: all that was accepted is there, on the others',
  { timeout: 120_000 },
  async () => {
    nodes = await startNatsCluster()
    const [first, second] = nodes
    const stream = { name: 'ORDERS', subjects: ['orders.>'], num_replicas: 3 }
    await eventually(async () => {
      const connection = await natsTo(first?.port ?? 0)
      try {
        await (await jetstreamManager(connection)).streams.add(stream)
      } finally {
        await connection.close()
      }
    })
    const accepted: string[] = []
    const over = new AbortController()
    let number = 0
    const url = `nats://127.0.0.1:${first?.port}/orders.new`
    const load = Array.from({ length: 8 }, async () => {
      while (!over.signal.aborted) {
        const id = `msg_${(number += 1)}`
        const headers = { authorization, 'webhook-id': id }
        const { reason } = await sender.send({ url, headers, body: id, eventType: 'package.created' })
        if (reason === 'accepted') accepted.push(id)
        else await new Promise((resolve) => setTimeout(resolve, 20))
      }
    })
    await eventually(() => expect(accepted.length).toBeGreaterThan(300))
    await first?.halt('SIGKILL')
    const before = accepted.length
    await eventually(() => expect(accepted.length).toBeGreaterThan(before + 300))
    over.abort()
    await Promise.all(load)
    const connection = await natsTo(second?.port ?? 0)
    const consumer = await jetstream(connection).consumers.get('ORDERS')
    const { state } = await (await jetstreamManager(connection)).streams.info('ORDERS')
    const there = new Set<string>()
    for await (const message of await consumer.fetch({ max_messages: state.messages, expires: 10_000 }))
      there.add(message.string())
    await connection.close()
    expect(accepted.filter((id) => !there.has(id))).toEqual([])
  },
)
