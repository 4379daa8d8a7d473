import type { Screen } from '#ui/screen.ts'
import { screens } from '../src/shell/screens.ts'
import type { ApiCall } from './support/api.ts'

const pathsOf = (some: readonly Screen[], parent = ''): readonly string[] =>
  some.flatMap(({ path, children = [] }) => {
    const whole = parent === '' ? path : `${parent}/${path}`
    return [whole, ...pathsOf(children, whole)]
  })

/** Screens that look different with another tab or view. */
const views = ['/packages?view=list&status=shipped', '/stock_locations/$id?tab=ledger', '/shipments/new?package=1']

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

type Row = { readonly id?: number | string; readonly _id?: string; readonly name?: string }

/** Puts the newest thing that the API lists in the place of each `$` of a path. @throws when a list is empty */
export const fillPath = async (call: ApiCall, path: string): Promise<string> => {
  const filled: string[] = []
  for (const part of path.split('/')) filled.push(part.startsWith('$') ? part.replace(/^\$\w+/, await newest()) : part)
  return filled.join('/')

  async function newest(): Promise<string> {
    const above = filled.join('/')
    const answer = await call<readonly Row[] | { readonly results: readonly Row[] }>(`GET ${listAt(above)}?limit=1`)
    const [row] = 'results' in answer ? answer.results : answer
    const id = row?.id ?? row?._id ?? row?.name
    if (id === undefined) throw new Error(`The demo company has nothing at ${above}.`)
    return String(id)
  }
}

/** A name for pictures of a screen. */
export const nameOfPath = (path: string): string =>
  path === '/'
    ? 'home'
    : path
        .slice(1)
        .replaceAll(/\$|settings\/|\w+=/g, '')
        .replaceAll(/[/?&]+/g, '-')
