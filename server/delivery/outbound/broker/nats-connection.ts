import type { Socket } from 'node:net'
import type { ConnectionOptions, NatsConnection } from '@nats-io/nats-core'
import { NatsConnectionImpl, setTransportFactory } from '@nats-io/nats-core/internal'
import { NodeTransport } from '@nats-io/transport-node/lib/node_transport.js'
import type { Ways } from './broker.ts'

/** Options of a connection as its transport sees them: with what opens the sockets of that connection. */
interface WithDial extends ConnectionOptions {
  readonly dial: Ways['dial'] | undefined
}

/** The client's transport; with `dial` its socket is one that the guard let through, to whichever server of a cluster it goes. */
class GuardedTransport extends NodeTransport {
  override async dial(to: { hostname: string; port: number }): Promise<Socket> {
    const { dial } = this.options as unknown as WithDial
    return dial === undefined ? super.dial(to) : dial({ ...to, isTls: false })
  }
}

/**
 * Connects to the first of the servers that answers. Nothing else in this process may connect to NATS: the client has one
 * factory of transports for all connections, which `connect` of its package would replace by one without a guard.
 * @param dial opens the sockets; undefined for servers that whoever runs this one has named.
 */
export const connectNats = async (options: ConnectionOptions, dial?: Ways['dial']): Promise<NatsConnection> => {
  // Which connection a transport is for, it learns from its options.
  setTransportFactory({ factory: () => new GuardedTransport() })
  const all: WithDial = { ...options, resolve: false, dial }
  return NatsConnectionImpl.connect(all)
}
