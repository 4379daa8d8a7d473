import type { FastifyPluginAsync } from 'fastify'

/** The routes of several slices as those of one. */
export const joinRoutes =
  (plugins: readonly FastifyPluginAsync[]): FastifyPluginAsync =>
  async (app) => {
    for (const plugin of plugins) await app.register(plugin)
  }
