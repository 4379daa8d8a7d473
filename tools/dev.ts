// npm run dev: the server, started again whenever its sources change, and the console as Vite serves it while it is worked
// on (http://localhost:5173; it asks the server for the API). When one of them ends, both do.
import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const programs: readonly (readonly [string, ...string[]])[] = [
  ['node', '--watch', '--watch-preserve-output', '--disable-warning=ExperimentalWarning', 'server/main.ts'],
  ['vite', 'console'],
]

const running = new Set<ChildProcess>()
const endAll = (): void => {
  for (const child of running) child.kill('SIGTERM')
}

for (const [command, ...args] of programs) {
  const child = spawn(join(root, 'node_modules/.bin', command), args, { cwd: root, stdio: 'inherit' })
  running.add(child)
  child.on('exit', (code) => {
    running.delete(child)
    process.exitCode ??= code ?? 1
    endAll()
  })
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, endAll)
