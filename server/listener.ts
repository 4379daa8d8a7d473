import type { FastifyInstance } from 'fastify'
import { StartRefused, type Service } from '#platform/supervisor.ts'

/** The HTTP server on its address. A start that fails because of the address names the setting. */
export const makeListener = (app: FastifyInstance, host: string, port: number): Service => ({
  name: 'http',
  start: async () => {
    try {
      await app.listen({ host, port })
    } catch (error) {
      const problem = problems[(error as NodeJS.ErrnoException).code ?? '']
      throw problem === undefined ? error : new StartRefused(problem(host, port), { cause: error })
    }
  },
  stop: () => app.close(),
})

/** Errors of bind(2) and the resolver that a setting can mend. */
const problems: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (_host, port) => `PORT ${port} is in use: stop the other process or set PORT.`,
  EACCES: (_host, port) => `PORT ${port} may not be used by this user: set PORT to one from 1024 on.`,
  EADDRNOTAVAIL: (host) =>
    `HOST ${host} is no address of this machine: set HOST to one that is, or to 0.0.0.0 for all.`,
  ENOTFOUND: (host) => `HOST ${host} cannot be resolved: set HOST to an address of this machine.`,
}
