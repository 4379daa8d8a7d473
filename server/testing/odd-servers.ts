import { createServer as createHttpsServer } from 'node:https'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { afterAll } from 'vitest'

/** A TCP server that answers the first bytes it gets with bytes of your choice. @returns its port. */
export const makeRawServer = (answer: (socket: Socket) => void): Promise<number> =>
  listen(
    createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => answer(socket))
    }),
  )

/** Sends bytes and closes, whatever was asked. */
export const saying =
  (bytes: string | Buffer) =>
  (socket: Socket): void =>
    void socket.end(bytes)

/** An HTTPS server whose certificate nobody vouches for. @returns its port. */
export const makeSelfSignedServer = (): Promise<number> =>
  listen(createHttpsServer({ key, cert }, (_request, response) => void response.end()))

/** A port of 127.0.0.1 that nobody listens on. */
export const closedPort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => void server.close(resolve))
  return port
}

const listen = async (server: Server): Promise<number> => {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  afterAll(async () => {
    const closed = new Promise((resolve) => void server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  })
  return (server.address() as AddressInfo).port
}

// For localhost and 127.0.0.1, until 2126. Used by nothing but these tests.
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg3SsCVwHC1PjPPx/j
aWb44dC88ODwqUE9yXiNIqJtPeyhRANCAATaQceG2vWAbEpDywBf0OyfQD5oZogm
/sk4LDPPugILIU7pgG6InZWzhQcDQI6B4TKK8CNVLuaMI5WAWMxeGVSF
-----END PRIVATE KEY-----
`
const cert = `-----BEGIN CERTIFICATE-----
MIIBmjCCAUGgAwIBAgIUWNTskZU7wOmF+KmrJDgZjOpAfHIwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTA0NTc1M1oYDzIxMjYxMDI4
MDQ1NzUzWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATaQceG2vWAbEpDywBf0OyfQD5oZogm/sk4LDPPugILIU7pgG6InZWz
hQcDQI6B4TKK8CNVLuaMI5WAWMxeGVSFo28wbTAdBgNVHQ4EFgQUfx/y+jlaHsZC
lai/G0UxO7bGgV4wHwYDVR0jBBgwFoAUfx/y+jlaHsZClai/G0UxO7bGgV4wDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDRwAwRAIgb212Nzm7E0jfMYPHWgZkvVT8PesFAsL0MATuFY41GEYCIHD0
kOqMpR2kj9EkwNAKM6mZYDfaq1P/zbsBqxB228k2
-----END CERTIFICATE-----
`
