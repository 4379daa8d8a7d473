import type { Socket } from 'node:net'
import type { ConnectionOptions, NatsConnection } from '@nats-io/nats-core'
import { NatsConnectionImpl, setTransportFactory } from '@nats-io/nats-core/internal'
import { NodeTransport } from '@nats-io/transport-node/lib/node_transport.js'
import type { Ways } from './broker.ts'

/** Options of a connection as its transport sees them: with what opens the sockets of that connection. */
interface WithDial extends ConnectionOptions {
  readonly dial: Ways['dial']
}

/** The client's transport, with a socket that the guard let through, to whichever server of a cluster it goes. */
class GuardedTransport extends NodeTransport {
  override async dial({ hostname, port }: { hostname: string; port: number }): Promise<Socket> {
    const { dial } = this.options as unknown as WithDial
    return dial({ hostname, port, isTls: false })
  }
}

/** Connects to the first of the servers that answers. */
export const connectGuarded = async (options: ConnectionOptions, dial: Ways['dial']): Promise<NatsConnection> => {
  // Said once for the process: which connection a transport is for, it learns from its options.
  setTransportFactory({ factory: () => new GuardedTransport() })
  const all: WithDial = { ...options, resolve: false, dial }
  return NatsConnectionImpl.connect(all)
}
