// npm run build: builds the console into console/dist.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { buildFolder } from './build-folder.mjs'
import { consoleBuild, consoleFolder } from './stamps.mjs'

const vite = join(import.meta.dirname, '../node_modules/.bin/vite')

/** With this Node.js, and for production, whatever the shell says: React is another one in development. */
const run = (...args) => {
  execFileSync(process.execPath, args, { stdio: 'inherit', env: { ...process.env, NODE_ENV: 'production' } })
}

await buildFolder(consoleBuild, async (folder) => {
  run(join(import.meta.dirname, 'console-types.mjs'))
  run(vite, 'build', consoleFolder, '--outDir', folder, '--emptyOutDir', '--logLevel', 'error')
})
