import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Licences of what runs in the server or is bundled into its pages. */
const shipped = [
  'MIT',
  'MIT-0',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'OFL-1.1',
  'CC0-1.0',
  'Unlicense',
]
/** Besides, of what stays where Waybill is developed. */
const development = ['MPL-2.0', 'Python-2.0', 'PSF-2.0', 'CC-BY-4.0']

/** Packages whose manifest says nothing that a program can read, with what their LICENSE file says. */
const said: Readonly<Record<string, string>> = {
  busboy: 'MIT',
  'humanize-number': 'MIT',
  streamsearch: 'MIT',
}

export interface LockedPackage {
  readonly name: string
  readonly version: string
  readonly licence: string
  /** Only where Waybill is developed, or bundled from there. */
  readonly isDevelopment: boolean
}

interface Lock {
  readonly packages: Readonly<
    Record<
      string,
      { readonly name?: string; readonly version?: string; readonly license?: string; readonly dev?: boolean }
    >
  >
}

/** Every package of package-lock.json. */
export const lockedPackages = (root: string): LockedPackage[] => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, { name = path.replace(/^.*node_modules\//, ''), version = '', license, dev = false }]) => ({
      name,
      version,
      licence: license ?? said[name] ?? '',
      isDevelopment: dev,
    }))
}

/** Whether a licence expression (SPDX, without WITH) can be met: one of what OR joins, all of what AND joins. */
export const isAllowed = ({ licence, isDevelopment }: Pick<LockedPackage, 'licence' | 'isDevelopment'>): boolean => {
  const allowed = isDevelopment ? [...shipped, ...development] : shipped
  const choices = licence.replaceAll(/[()]/g, '').split(' OR ')
  return choices.some((choice) => choice.split(' AND ').every((one) => allowed.includes(one.trim())))
}
