import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A road to a server that can be closed. */
export interface FlakyNetwork {
  readonly port: number
  /** Nothing arrives any more, on connections old and new; `heal` delivers what was on the way. */
  stall(): void
  heal(): void
  /** Every connection breaks, and both ends are told. */
  cut(): void
  /** Every connection goes dead, and nobody is told: what is sent on it vanishes. New ones work. */
  silence(): void
  close(): Promise<void>
}

interface Pair {
  readonly near: Socket
  readonly far: Socket
  isSilent: boolean
}

/** Carries connections from a free port of 127.0.0.1 to another port of it. */
export const startFlakyNetwork = async (target: number): Promise<FlakyNetwork> => {
  const pairs = new Set<Pair>()
  let isStalled = false

  const server = createServer((near) => {
    const pair: Pair = { near, far: connect(target, '127.0.0.1'), isSilent: false }
    pairs.add(pair)
    carry(pair, pair.near, pair.far)
    carry(pair, pair.far, pair.near)
    if (isStalled) for (const socket of socketsOf(pair)) socket.pause()
  })

  const carry = (pair: Pair, from: Socket, to: Socket): void => {
    from.setNoDelay(true)
    from.on('error', () => undefined)
    from.on('data', (chunk: Buffer) => {
      if (!pair.isSilent) to.write(chunk)
    })
    from.on('close', () => {
      if (pair.isSilent) return
      pairs.delete(pair)
      to.destroy()
    })
  }

  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    stall: () => {
      isStalled = true
      for (const pair of pairs) for (const socket of socketsOf(pair)) socket.pause()
    },
    heal: () => {
      isStalled = false
      for (const pair of pairs) for (const socket of socketsOf(pair)) socket.resume()
    },
    cut: () => {
      for (const pair of pairs) for (const socket of socketsOf(pair)) socket.resetAndDestroy()
    },
    silence: () => {
      for (const pair of pairs) pair.isSilent = true
    },
    close: async () => {
      const closed = new Promise((resolve) => void server.close(resolve))
      for (const pair of pairs) for (const socket of socketsOf(pair)) socket.destroy()
      await closed
    },
  }
}

const socketsOf = ({ near, far }: Pair): readonly Socket[] => [near, far]
