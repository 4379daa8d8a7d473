import { createServer } from 'node:http'

/** A receiver in a process of its own: answers 200 at once, and counts. Talks to its parent over IPC. */
let count = 0
let lastAt = 0
const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume()
  request.on('end', () => {
    count += 1
    lastAt = Date.now()
    response.writeHead(200, { 'content-length': '0' }).end()
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 })
})
process.on('message', () => process.send?.({ count, lastAt }))
process.on('disconnect', () => process.exit(0))
