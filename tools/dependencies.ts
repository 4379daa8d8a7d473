import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'

export interface Violation {
  readonly rule: string
  readonly from: string
  readonly to: string
}

export interface DependencyReport {
  readonly violations: readonly Violation[]
  /** Sources on disk that dependency-cruiser did not look at. */
  readonly unseen: readonly string[]
  readonly moduleCount: number
}

const sourceRooms = ['server', 'tools', 'bench', 'console', 'guide']
const executable = join(import.meta.dirname, '../node_modules/.bin/depcruise')

/**
 * Checks the imports of a source tree against its own .dependency-cruiser.cjs.
 *
 * dependency-cruiser reads TypeScript with the TypeScript 6 API. Where it finds none it skips every
 * .ts file and reports success, so the modules it saw are compared with the files that are there.
 */
export const checkDependencies = async (root: string): Promise<DependencyReport> => {
  const sources = globSync(`{${sourceRooms.join(',')}}/**/*.{ts,tsx}`, {
    cwd: root,
    exclude: (path) => path.includes('generated'),
  }).toSorted()
  const rooms = sourceRooms.filter((room) => sources.some((source) => source.startsWith(`${room}/`)))
  const { modules, summary } = await cruise(root, rooms)
  const seen = new Set(modules.map((module) => module.source))
  return {
    violations: summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
    unseen: sources.filter((source) => !seen.has(source)),
    moduleCount: sources.length,
  }
}

interface CruiseResult {
  readonly modules: readonly { readonly source: string }[]
  readonly summary: {
    readonly violations: readonly {
      readonly rule: { readonly name: string }
      readonly from: string
      readonly to: string
    }[]
  }
}

/** The report is on standard output whether there are violations (exit status: their number) or not. */
const cruise = (root: string, rooms: readonly string[]): Promise<CruiseResult> =>
  new Promise((resolve, reject) => {
    const args = [executable, ...rooms, '--config', '.dependency-cruiser.cjs', '--output-type', 'json']
    execFile(process.execPath, args, { cwd: root, maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
      if (stdout.startsWith('{')) resolve(JSON.parse(stdout) as CruiseResult)
      else reject(new Error(`dependency-cruiser gave no report: ${stderr}${stdout}`, { cause: error }))
    })
  })
