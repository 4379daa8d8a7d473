/** The package has no declarations: what is used of it. */
declare module 's3rver' {
  import type { IncomingMessage, Server, ServerResponse } from 'node:http'

  interface Options {
    readonly address: string
    readonly port: number
    readonly silent: boolean
    readonly directory: string
    readonly vhostBuckets: boolean
    readonly configureBuckets: readonly { readonly name: string }[]
  }
  export default class S3rver {
    constructor(options: Options)
    readonly store: { putObject(object: { readonly key: string }): Promise<unknown> }
    readonly httpServer: Server
    run(): Promise<{ readonly port: number }>
    close(): Promise<void>
    callback(): (request: IncomingMessage, response: ServerResponse) => void
  }
}
