import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, InjectOptions } from 'fastify'

/** Where `npm run docs:examples` wants the answers of tests; otherwise none are recorded. */
const directory = process.env['RECORD_ANSWERS']

/** A successful answer of an operation. */
export interface RecordedAnswer {
  readonly operationId: string
  readonly status: number
  readonly body: unknown
}

/** Records the successful JSON answers of an application to the requests of a test. */
export const recordAnswers = (app: FastifyInstance): void => {
  if (directory === undefined) return
  const file = join(directory, `${process.pid}.jsonl`)
  const operationOf = operationsBy(app.swagger().paths as unknown as Paths)
  const inject = app.inject.bind(app) as (options: InjectOptions) => ReturnType<FastifyInstance['inject']>
  const recording = async (options: InjectOptions) => {
    const answer = await inject(options)
    const { statusCode: status, payload, headers } = answer
    const operationId = operationOf(options)
    const isJson = String(headers['content-type']).startsWith('application/json')
    if (status < 300 && isJson && payload.length <= maxCharacters && operationId !== undefined) {
      const recorded: RecordedAnswer = { operationId, status, body: JSON.parse(payload) }
      appendFileSync(file, `${JSON.stringify(recorded)}\n`)
    }
    return answer
  }
  app.inject = recording as typeof app.inject
}

/** More is no example. */
const maxCharacters = 8_192

type Paths = Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>

const operationsBy = (paths: Paths) => {
  const operations = Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => ({
        operationId,
        method: method.toUpperCase(),
        pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
        parameters: path.split('{').length,
      })),
    )
    // A path without parameters is meant before one with them: `/hooks/registry`, `/hooks/{id}`.
    .toSorted((one, other) => one.parameters - other.parameters)
  return ({ method = 'GET', url }: InjectOptions): string | undefined => {
    const [path = ''] = (typeof url === 'string' ? url : '').split('?')
    return operations.find((known) => known.method === method && known.pattern.test(path))?.operationId
  }
}
