import type { Screen } from '#ui/screen.ts'
import { screens } from '../src/shell/screens.ts'
import type { ApiCall } from './support/api.ts'

const pathsOf = (some: readonly Screen[], parent = ''): readonly string[] =>
  some.flatMap(({ path, children = [] }) => {
    const whole = parent === '' ? path : `${parent}/${path}`
    return [whole, ...pathsOf(children, whole)]
  })

/** Screens that look different with another tab or view. */
const fields = '/organizations/$organizationId/projects/$projectId/fields'
const views = [
  '/packages?view=list&status=shipped',
  '/stock_locations/$id?tab=ledger',
  '/shipments/new?package=1',
  '/exports/new?quotation=1',
  `${fields}/storeCredentials.appleAppStore`,
  `${fields}/appStatuses.android.production`,
]

/** Addresses of every screen of the console with a session; `$id` stands for something of the demo company. */
export const screenPaths: readonly string[] = [...pathsOf(screens), ...views]

/** Those without one. */
export const openPaths: readonly string[] = ['/login', '/password/forgot', '/password/reset']

/** Where the API has what the console has elsewhere; the rest stands below `/api/v1`. */
const elsewhere: readonly (readonly [string, string])[] = [
  ['/deliveries', '/whisperer/hook_events'],
  ['/hooks', '/whisperer/hooks'],
  ['/flows', '/api/nifi/flows'],
]

const listAt = (path: string): string => {
  const [from, to] = elsewhere.find(([start]) => path.startsWith(start)) ?? ['', '/api/v1']
  return to + path.slice(from.length)
}

/** What no list of the API has. */
const fixed: Readonly<Record<string, string>> = { $group: 'credential.ios.production' }

type Row = Partial<Record<'id' | '_id' | 'run_id' | 'name', number | string>>

/** The newest things that the API lists. */
const idsAt = async (call: ApiCall, path: string): Promise<readonly string[]> => {
  const answer = await call<readonly Row[] | { readonly results: readonly Row[] }>(`GET ${listAt(path)}?limit=10`)
  const rows = 'results' in answer ? answer.results : answer
  return rows.map((row) => String(row.id ?? row._id ?? row.run_id ?? row.name))
}

const fill = async (call: ApiCall, filled: string, parts: readonly string[]): Promise<string | undefined> => {
  const [part, ...rest] = parts
  if (part === undefined) return filled
  if (!part.startsWith('$') || part in fixed) return fill(call, `${filled}/${fixed[part] ?? part}`, rest)
  for (const id of await idsAt(call, filled)) {
    const whole = await fill(call, `${filled}/${part.replace(/^\$\w+/, id)}`, rest)
    if (whole !== undefined) return whole
  }
  return undefined
}

/** Puts something that the API lists in the place of each `$` of a path. @throws when there is nothing for all of them */
export const fillPath = async (call: ApiCall, path: string): Promise<string> => {
  const whole = await fill(call, '', path.slice(1).split('/'))
  if (whole === undefined) throw new Error(`The demo company has nothing for ${path}.`)
  return whole
}

/** A name for pictures of a screen. */
export const nameOfPath = (path: string): string =>
  path === '/'
    ? 'home'
    : path
        .slice(1)
        .replaceAll(/\$|settings\/|\w+=/g, '')
        .replaceAll(/[/?&]+/g, '-')
