import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns'
import { afterAll } from 'vitest'

/** The IPv4 addresses of a name, or `silence` for no answer at all. */
export type DnsAnswer = (name: string) => readonly string[] | 'silence'

export interface DnsServer {
  readonly resolver: Resolver
  /** The names that were asked for, the oldest first. */
  readonly asked: string[]
}

/** A DNS server on this machine, and a resolver that asks it and nobody else. Both end after the file's last test. */
export const makeDnsServer = async (answer: DnsAnswer): Promise<DnsServer> => {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const name = nameIn(query)
    asked.push(name)
    const addresses = answer(name)
    if (addresses !== 'silence') socket.send(response(query, addresses), port, address)
  })
  await new Promise<void>((resolve) => void socket.bind(0, '127.0.0.1', resolve))
  const resolver = new Resolver({ timeout: 10_000, tries: 1 })
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  afterAll(() => {
    resolver.cancel()
    socket.close()
  })
  return { resolver, asked }
}

const headLength = 12
/** Behind the name: its type and class, two bytes each. */
const questionTail = 4

/** The name in the question (RFC 1035, section 4.1.2): labels, each behind its length, and a zero. */
const nameIn = (query: Buffer): string => {
  const labels: string[] = []
  for (let at = headLength; (query[at] ?? 0) > 0; at += 1 + (query[at] ?? 0))
    labels.push(query.toString('latin1', at + 1, at + 1 + (query[at] ?? 0)))
  return labels.join('.')
}

const response = (query: Buffer, addresses: readonly string[]): Buffer => {
  const questionEnd = query.indexOf(0, headLength) + 1 + questionTail
  const head = Buffer.from(query.subarray(0, headLength))
  // An answer, without error, to one question, with so many records, none of them about authority or more.
  head.writeUInt16BE(0x8180, 2)
  head.writeUInt16BE(addresses.length, 6)
  head.writeUInt32BE(0, 8)
  return Buffer.concat([head, query.subarray(headLength, questionEnd), ...addresses.map(addressRecord)])
}

/** The name of the question, type A, class IN, no time to live, four bytes. */
const addressRecord = (address: string): Buffer =>
  Buffer.from([0xc0, headLength, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)])
