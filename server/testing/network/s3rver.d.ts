/** The package has no declarations: what is used of it. */
declare module '@20minutes/s3rver' {
  import type { IncomingMessage, Server, ServerResponse } from 'node:http'

  interface Options {
    readonly address: string
    readonly port: number
    readonly silent: boolean
    readonly directory: string
    readonly vhostBuckets: boolean
    readonly configureBuckets: readonly { readonly name: string }[]
  }
  interface Context {
    readonly method: string
    readonly path: string
    readonly state: object
    readonly query: Readonly<Record<string, string | undefined>>
    status: number
    type: string
    body: string
  }
  export type Middleware = (context: Context, next: () => Promise<void>) => Promise<void>
  export default class S3rver {
    constructor(options: Options)
    readonly store: { putObject(object: { readonly key: string }): Promise<unknown> }
    /** In the order of running; the last one checks the signature and does what is asked for. */
    readonly middleware: Middleware[]
    readonly httpServer: Server
    run(): Promise<{ readonly port: number }>
    close(): Promise<void>
    callback(): (request: IncomingMessage, response: ServerResponse) => void
  }
}
