import { createHash } from 'node:crypto'
import Fastify, { type FastifyInstance } from 'fastify'

/** Shows the API description at `/docs`, with search and requests to try. Nothing is asked of other hosts. */
export const showReference = (app: FastifyInstance): void => {
  const options = { schema: { hide: true }, config: { access: 'public' } } as const
  app.get('/docs', options, async (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(page),
  )
  let script: Promise<string> | undefined
  app.get('/docs/scalar.js', options, async (_request, reply) => {
    script ??= readScript()
    return reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(await script)
  })
}

/** The package holds its script as text of 4 MB, which would make every start slower: it is loaded when somebody reads the reference. */
const readScript = async (): Promise<string> => {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const holder = Fastify()
  await holder.register(scalar, { routePrefix: '/', configuration: { url: '/openapi.json' } })
  return (await holder.inject('/js/scalar.js')).payload
}

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly parameters?: readonly Parameter[] }>>>>
  readonly components: { readonly parameters?: Readonly<Record<string, Parameter>> }
}
interface Parameter {
  /** Absent where another place describes it. */
  readonly in?: string
  readonly required?: boolean
  readonly schema?: { readonly examples?: readonly unknown[]; readonly default?: unknown }
  examples?: unknown
}

/**
 * Leaves the parameters that can be left out without a tick in requests to try. The reference would send the example of each:
 * a list would be asked for with all of its filters, and every request would have the same `Idempotency-Key`. Runs in the browser.
 */
export const untickOptional = (description: Described): Described => {
  const operations = Object.values(description.paths).flatMap((path) => Object.values(path))
  const parameters = operations.flatMap((operation) => operation.parameters ?? [])
  for (const parameter of [...parameters, ...Object.values(description.components.parameters ?? {})]) {
    const value = parameter.schema?.default ?? parameter.schema?.examples?.[0] ?? ''
    if (['query', 'header'].includes(parameter.in ?? '') && parameter.required !== true)
      parameter.examples = { default: { value, 'x-disabled': true } }
  }
  return description
}

const start = `fetch('/openapi.json').then((answer) => answer.json()).then((description) =>
  Scalar.createApiReference('#reference', { content: (${untickOptional.toString()})(description), ...${JSON.stringify({
    // The login is kept over reloads, in the browser.
    persistAuth: true,
    // Takes access tokens and keys alike, so that there is one field to fill in.
    authentication: { preferredSecurityScheme: 'bearer' },
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
    defaultOpenAllTags: false,
  })} }))`

const policy = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${createHash('sha256').update(start).digest('base64')}'`,
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Waybill API reference</title>
<link rel="icon" href="data:,">
</head>
<body>
<div id="reference"></div>
<script src="/docs/scalar.js"></script>
<script>${start}</script>
</body>
</html>
`
