import { CommandFailure, exitCodes, type ExitCode } from '../failure.ts'
import type { ServerFlags } from '../flags.ts'

/** A server that is asked with the caller's key. */
export interface Client {
  readonly origin: string
  /** @throws CommandFailure with what the server said, unless it answered 2xx. */
  ask<T>(method: string, path: string, body?: unknown): Promise<T>
  /** Every record of a list, page by page. */
  all<T>(path: string): Promise<T[]>
}

const pageSize = 100

/** @throws CommandFailure without a key, or when the address is none. */
export const clientOf = ({ server, key }: ServerFlags): Client => {
  const origin = originOf(server ?? process.env['WAYBILL_SERVER'] ?? 'http://127.0.0.1:4000')
  const credential = key ?? process.env['WAYBILL_KEY'] ?? ''
  if (credential === '')
    throw new CommandFailure(
      'No key: name one with --key or WAYBILL_KEY. waybill keys make NAME --login EMAIL makes one with a password.',
      exitCodes.refused,
    )
  return clientWith(origin, credential)
}

/** @throws CommandFailure unless it is an address of HTTP. */
export const originOf = (server: string): string => {
  if (URL.canParse(server) && /^https?:$/.test(new URL(server).protocol)) return server.replace(/\/+$/, '')
  throw new CommandFailure(
    `--server must be an address like https://waybill.example (it is ${server}).`,
    exitCodes.wrongUsage,
  )
}

/** A client with this credential; without one it may log in. */
export const clientWith = (origin: string, credential?: string): Client => {
  const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetchFrom(origin, path, {
      method,
      headers: {
        accept: 'application/json',
        ...(credential === undefined ? {} : { authorization: `Api-Key ${credential}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const sent = await answer.text()
    if (!answer.ok) throw new CommandFailure(refusalOf(answer, sent, `${method} ${path}`), codeOf(answer.status))
    return (sent === '' ? undefined : parse(sent, origin)) as T
  }
  const all = async <T>(path: string): Promise<T[]> => {
    const records: T[] = []
    for (let page = 1; ; page += 1) {
      const some = await ask<T[]>('GET', `${path}${path.includes('?') ? '&' : '?'}page=${page}&limit=${pageSize}`)
      records.push(...some)
      if (some.length < pageSize) return records
    }
  }
  return { origin, ask, all }
}

const fetchFrom = async (origin: string, path: string, init: RequestInit): Promise<Response> => {
  try {
    return await fetch(`${origin}${path}`, init)
  } catch (error) {
    const { cause } = error as { cause?: NodeJS.ErrnoException }
    throw new CommandFailure(
      `No server answers at ${origin} (${cause?.code ?? cause?.message ?? String(error)}). Is it running, and is --server right?`,
      exitCodes.noServer,
    )
  }
}

const parse = (sent: string, origin: string): unknown => {
  try {
    return JSON.parse(sent)
  } catch {
    throw new CommandFailure(`What answers at ${origin} is no Waybill: it sent no JSON.`, exitCodes.noServer)
  }
}

const codes: Readonly<Record<number, ExitCode>> = {
  401: exitCodes.refused,
  403: exitCodes.refused,
  404: exitCodes.notFound,
  502: exitCodes.noServer,
  503: exitCodes.noServer,
  504: exitCodes.noServer,
}
const codeOf = (status: number): ExitCode => codes[status] ?? exitCodes.failed

const refusalOf = ({ status }: Response, sent: string, request: string): string => {
  const said = sentencesOf(sent)
  if (status === 401) return `The key is not valid (401)${said === '' ? '' : `: ${said}`}`
  if (status === 403) return `The key may not do this (403)${said === '' ? '' : `: ${said}`}`
  return `${request} was answered ${status}${said === '' ? '.' : `: ${said}`}`
}

/** What an error of any of the server's shapes says, in a line. */
const sentencesOf = (sent: string): string => {
  try {
    const said = JSON.parse(sent) as { readonly detail?: unknown; readonly errors?: unknown }
    const { detail, errors } = said
    return typeof detail === 'string' && errors === undefined ? detail : wordsOf(said).join(' ')
  } catch {
    return ''
  }
}

const wordsOf = (value: unknown, path = ''): string[] => {
  if (typeof value === 'string') return [path === '' || path === 'detail' ? value : `${path}: ${value}`]
  if (Array.isArray(value)) return value.flatMap((item) => wordsOf(item, path))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value)
    .filter(([name]) => !['code', 'type', 'title', 'status', 'request_id'].includes(name))
    .flatMap(([name, item]) => wordsOf(item, path === '' || path === 'errors' ? name : `${path}.${name}`))
}
