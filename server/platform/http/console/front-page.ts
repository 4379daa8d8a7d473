import type { FastifyPluginAsync, FastifyReply } from 'fastify'

/** The front page of a process that has no console. */
export const frontPageRoutes =
  (version: string): FastifyPluginAsync =>
  async (app) => {
    app.get('/', { config: { access: 'public' }, schema: { hide: true } }, async (_request, reply) =>
      sendFrontPage(reply, version, false),
    )
  }

/** Says that the server runs, and what it has. @param lacksConsole it says how to build the console, too. */
export const sendFrontPage = (reply: FastifyReply, version: string, lacksConsole: boolean): FastifyReply =>
  reply
    .type('text/html; charset=utf-8')
    .headers({
      'cache-control': 'no-cache',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    })
    .send(frontPage(version, lacksConsole ? unbuilt : ''))

const unbuilt = `
<p>The console is not built. <code>npm run build</code> builds it; then start the server again.</p>`

const frontPage = (version: string, note: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Waybill</title>
<style>
  :root { color-scheme: light dark; font: 1rem/1.6 system-ui, sans-serif }
  body { max-width: 38rem; margin: 12vh auto; padding: 0 1.25rem }
  dt { font-weight: 600 } dd { margin: 0 0 .75rem }
</style>
<h1>Waybill ${version}</h1>
<p>The server is running.</p>${note}
<dl>
  <dt><a href="/docs">API reference</a></dt><dd>Every operation, to read and to try.</dd>
  <dt><a href="/openapi.json">openapi.json</a></dt><dd>The same as an OpenAPI 3.1 document.</dd>
  <dt><a href="/readyz">readyz</a>, <a href="/healthz">healthz</a>, <a href="/metrics">metrics</a></dt><dd>For whoever runs it.</dd>
</dl>
</html>
`
