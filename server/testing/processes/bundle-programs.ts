import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown, type Plugin } from 'rolldown'

const root = join(import.meta.dirname, '../../..')

/** The programs that tests start, and kill, hundreds of times, by their files. */
const programs = ['main', 'waybill', 'testing/chaos/engine-process', 'testing/power/load']

/** They find what lies beside their modules, and load it from there themselves; nothing is gained by bundling them. */
const notBundled = ['@electric-sql/pglite', '@node-rs/argon2', '@scalar/fastify-api-reference', 'pg-native']

/**
 * Bundles the programs that tests start: loading 1,500 modules one by one takes more processor time than all else that a start
 * does. What is run is the same code; `npm start` runs it from its sources, which `tools/start.e2e.test.ts` does too.
 * @returns the files by the programs' own names, such as `server/main.ts`.
 */
export const bundlePrograms = async (directory: string): Promise<Readonly<Record<string, string>>> => {
  const sources = Object.fromEntries(programs.map((program) => [program, join(root, 'server', `${program}.ts`)]))
  const bundle = await rolldown({
    input: sources,
    platform: 'node',
    external: (id) => notBundled.some((name) => id === name || id.startsWith(`${name}/`)),
    plugins: [keepPlaces],
  })
  await bundle.write({ dir: directory, format: 'esm' })
  await bundle.close()
  return Object.fromEntries(programs.map((program) => [`server/${program}.ts`, join(directory, `${program}.js`)]))
}

/** Each of our modules goes on to find migrations, threads and texts beside its source. */
const keepPlaces: Plugin = {
  name: 'keep-places',
  transform: (code, id) =>
    id.includes('node_modules') || !code.includes('import.meta.')
      ? undefined
      : code
          .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
          .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
}
