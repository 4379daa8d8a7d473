import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { checkEverything } from '#delivery/upkeep/check-everything.ts'
import { checks, type Finding } from '#delivery/upkeep/finding.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db/database.ts'
import { lockDirectory } from '#platform/db/lock-directory.ts'
import { migrationGap, readMigrations } from '#platform/db/migrate.ts'
import { openDatabase } from '#platform/db/open.ts'
import { loadConfig } from '../../start-early.ts'
import type { JsonFlag } from '../flags.ts'
import { say, sayJson } from '../output.ts'

interface DoctorFlags extends JsonFlag {
  readonly repair?: boolean
  readonly since?: Date
}

/**
 * waybill doctor: checks everything that the delivery engine keeps against what must always be true of it,
 * and with --repair mends what it can. Beside servers that are running on PostgreSQL; the embedded database
 * has one process.
 */
export const doctor = async ({ repair = false, since, json }: DoctorFlags): Promise<void> => {
  const config = loadConfig()
  const database = await open(config)
  try {
    await refuseOtherSchema(database)
    const begun = performance.now()
    const findings = await checkEverything(database.db, {
      repair,
      since,
      eventDays: config.EVENT_RETENTION_DAYS,
      attemptDays: config.ATTEMPT_RETENTION_DAYS,
    })
    const seconds = (performance.now() - begun) / 1_000
    if (json === true) sayJson({ findings, seconds })
    else say(`${tableOf(findings)}\n${verdictOf(findings, repair, seconds)}`)
    if (findings.some(({ found, repaired }) => found > repaired)) process.exitCode = 1
  } finally {
    await database.close()
  }
}

/** Opens what is configured, without making or changing anything. */
const open = async ({ DATABASE_URL: url, DATA_DIR }: Config): Promise<Database> => {
  const directory = join(DATA_DIR, 'database')
  if (url !== undefined) return openDatabase({ url, directory, poolSize: 2 })
  if (!existsSync(directory)) throw new Error(`There is no database in ${DATA_DIR}. Is DATA_DIR the right one?`)
  try {
    await lockDirectory(DATA_DIR)
  } catch (error) {
    throw new Error(
      `${error instanceof Error ? error.message : String(error)} While a server runs on it, the server checks itself: see waybill_delivery_lost and waybill_invariant_violations in its /metrics, and invariant.violated in its log.`,
      { cause: error },
    )
  }
  return openDatabase({ directory, poolSize: 1 })
}

const refuseOtherSchema = async (database: Database): Promise<void> => {
  const { missing, unknown } = await migrationGap(database, await readMigrations())
  if (unknown.length > 0)
    throw new Error(`The database was migrated by another version (${unknown.join(', ')}): use the doctor of that one.`)
  if (missing.length > 0)
    throw new Error(`The database lacks ${missing.join(', ')}. Start the server once: it migrates.`)
}

const tableOf = (findings: readonly Finding[]): string => {
  const rows = findings.map(({ check, found, repaired, examples }) => {
    const { of, meaning } = checks[check]
    const some = examples.length === 0 ? '' : `${of} ${examples.join(', ')}${found > examples.length ? ', …' : ''}`
    return [check, found === 0 ? 'ok' : String(found), found === 0 ? '' : String(repaired), meaning, some]
  })
  const lines = [['check', 'found', 'mended', 'what that means', ''], ...rows]
  const widths = [0, 1, 2].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines
    .map(([name = '', found = '', mended = '', meaning = '', some = '']) => {
      const [first = 0, second = 0, third = 0] = widths
      const line = `${name.padEnd(first)}  ${found.padStart(second)}  ${mended.padStart(third)}  ${meaning}`
      return some === '' ? line : `${line}\n${' '.repeat(first + second + third + 6)}${some}`
    })
    .join('\n')
}

const verdictOf = (findings: readonly Finding[], repair: boolean, seconds: number): string => {
  const found = findings.reduce((sum, finding) => sum + finding.found, 0)
  const left = found - findings.reduce((sum, finding) => sum + finding.repaired, 0)
  const took = `(${seconds.toFixed(1)} s)`
  if (found === 0) return `\nAll is well ${took}.`
  if (left === 0) return `\nAll is well now: ${found} mended ${took}.`
  return repair
    ? `\n${left} of ${found} could not be mended ${took}.`
    : `\n${found} found ${took}. Mend what can be mended: waybill doctor --repair`
}
