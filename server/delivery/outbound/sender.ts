import { isBrokerUrl } from './broker/broker-url.ts'
import { makeBrokerDriver } from './drivers/broker-driver.ts'
import type { Driver, DriverOptions, SendRequest } from './drivers/driver.ts'
import { makeHttpDriver } from './drivers/http.ts'
import type { SendResult } from './send-result.ts'

export type { SendRequest } from './drivers/driver.ts'
export type { SendResult } from './send-result.ts'

export interface Sender {
  send(request: SendRequest): Promise<SendResult>
  /** Ends every exchange in flight with `aborted`; nothing new is sent. */
  abort(): void
  /** Aborts what is in flight and closes all connections. */
  close(): Promise<void>
}

export type SenderOptions = Partial<DriverOptions> & Pick<DriverOptions, 'guard'>

/** By contract, section 5. */
const times = { dnsTimeoutMs: 5_000, connectTimeoutMs: 5_000, exchangeTimeoutMs: 15_000 }
const bounds = { connections: 64, idleMs: 60_000, maxIdle: 2_000 }

/** Sends each request by the driver of its URL's scheme, all through the guard. */
export const makeSender = (options: SenderOptions): Sender => {
  const all: DriverOptions = { ...times, ...bounds, ...options }
  const [http, brokers] = [makeHttpDriver(all), makeBrokerDriver(all)]
  const drivers: readonly Driver[] = [http, brokers]

  return {
    send: (request) => (isBrokerUrl(request.url) ? brokers : http).send(request),
    abort: () => drivers.forEach((driver) => driver.abort()),
    async close() {
      for (const driver of drivers) driver.close()
    },
  }
}
