import { fileURLToPath } from 'node:url'

/** Where the numbered SQL files are. */
export const migrationsDirectory = fileURLToPath(new URL('../../migrations', import.meta.url))
