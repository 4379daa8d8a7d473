import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { TableFormat } from '#platform/spreadsheets/table-file.ts'

/** What `.ci/run` installs; another Python may come first in the path and not have them. */
const candidates = ['/usr/bin/python3', 'python3']
const modules = 'xlrd, openpyxl'

let found: string | undefined

/** A Python with the modules that read spreadsheets; undefined when this machine has none. */
export const findPython = (): string | undefined => {
  found ??= candidates.find((python) => spawnSync(python, ['-c', `import ${modules}`]).status === 0)
  return found
}

/** A cell as another program reads it. Of csv all are texts. */
export type ReadCell = string | null | { readonly number: number } | { readonly time: string }

/** The rows of a table file, header included, as the csv module, xlrd or openpyxl of Python read them. */
export const readWithPython = (format: TableFormat, path: string): ReadCell[][] => {
  const python = findPython()
  if (python === undefined)
    throw new Error(`There is no Python with ${modules} (Debian: python3-xlrd, python3-openpyxl).`)
  const script = join(import.meta.dirname, 'read-table.py')
  const { status, stdout, stderr } = spawnSync(python, [script, format, path], { encoding: 'utf8', maxBuffer: 2 ** 28 })
  if (status !== 0) throw new Error(`Python could not read the ${format}: ${stderr}`)
  return JSON.parse(stdout) as ReadCell[][]
}
