import type { FastifyPluginAsync } from 'fastify'
import { makeConsole, type Console } from '#platform/http/console/console.ts'
import { guideRoutes, hasGuide } from '#platform/http/guide/guide.ts'
import type { ServerContext } from '../server-context.ts'

/** What is not the console's: the API, its reference and what whoever runs the server asks. */
const otherSegments = ['api', 'b2b', 'docs', 'guide', 'openapi.json', 'metrics', 'healthz', 'readyz']

/** The pages of the operators; undefined on a process that only delivers. */
export const openConsole = (
  { role, consoleDirectory, config, log }: ServerContext,
  version: string,
): Console | undefined => {
  if (role === 'worker') return undefined
  const web = makeConsole({
    version,
    directory: consoleDirectory,
    otherSegments: [...otherSegments, config.WEBHOOK_SERVICE_PATH],
  })
  if (!web.isBuilt) log.warn({ directory: consoleDirectory, advice: 'npm run build' }, 'console.not_built')
  return web
}

/** The documents as a site; nothing where they are not built. */
export const openGuide = ({ guideDirectory, log }: ServerContext): FastifyPluginAsync => {
  if (hasGuide(guideDirectory)) return guideRoutes(guideDirectory)
  log.warn({ directory: guideDirectory, advice: 'npm run guide' }, 'guide.not_built')
  return async () => undefined
}
