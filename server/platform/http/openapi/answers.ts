import { mapValues, type Answer, type Operation, type Parameter, type Reference } from './document-types.ts'
import { Detail } from '../schemas.ts'
import type { AnswerHeader } from './overview.ts'

/** What the generator says of an answer of which the route says nothing. */
const nothingSaid = 'Default Response'

/** What an answer of the status means, unless the route says it. */
const usual: Readonly<Record<string, string>> = {
  201: 'The new record.',
  202: 'Accepted: it is stored, and goes on after this answer.',
  204: 'Done; no body.',
  400: 'The request is not valid, or a rule refuses it.',
  401: 'No credential, or one that is not valid.',
  403: 'The caller, or the scope of its credential, may not do this.',
  404: 'There is no such thing, or none that the caller may know of.',
  409: 'It collides with another request or with what is there already.',
  412: 'It was changed since it was read: `If-Match` names another version.',
  413: 'The body is too large.',
  415: 'The content type of the body is not one that is taken here.',
  429: 'Too many requests; `Retry-After` says when to try again.',
  431: 'The URL and the headers are larger than 16 KiB.',
  500: 'A bug; nothing was changed.',
  503: 'The database does not answer. What was asked for may have happened.',
}

/** What Node.js answers before there is a request: at every operation, in one shape on all surfaces. */
const beforeRoutes: Readonly<Record<string, Answer>> = {
  431: { content: { 'application/json': { schema: { ...Detail } } } },
}

/** Says what each answer of the operation means, which OpenAPI demands: in the words of the route, else by its status. */
export const describeAnswers = (operation: Operation): Operation => ({
  ...operation,
  responses: mapValues({ ...operation.responses, ...beforeRoutes }, (answer, status) => ({
    ...answer,
    description: ownWords(answer) ?? usual[status] ?? describeSuccess(operation),
    headers: Object.fromEntries(headersOf(operation, answer, status).map((name) => [name, refer(name)])),
  })),
})

/** Gives the answers of an operation their examples, by status. */
export const showExamples = (operation: Operation, examples: Readonly<Record<string, unknown>> = {}): Operation => ({
  ...operation,
  responses: mapValues(operation.responses ?? {}, (answer, status) => {
    const media = answer.content?.['application/json']
    if (media === undefined || examples[status] === undefined) return answer
    return { ...answer, content: { ...answer.content, 'application/json': { ...media, example: examples[status] } } }
  }),
})

const refer = (name: AnswerHeader): Reference => ({ $ref: `#/components/headers/${name}` })

const ofErrors: Readonly<Record<string, readonly AnswerHeader[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'],
  503: ['Retry-After'],
}

/** Names of the headers of an answer: those that its route names, and those that follow from its status and the parameters. */
const headersOf = ({ parameters = [] }: Operation, answer: Answer, status: string): readonly AnswerHeader[] => {
  const has = (name: string): boolean => parameters.some((parameter: Parameter) => parameter.name === name)
  const isSuccess = status.startsWith('2')
  const isList = Object.values(answer.content ?? {}).some(({ schema }) => schema?.type === 'array')
  return [
    'X-Request-Id',
    ...(ofErrors[status] ?? []),
    ...(isSuccess && has('Idempotency-Key') ? (['Idempotency-Replayed'] as const) : []),
    ...(isSuccess && has('page') && isList ? (['X-Total-Count', 'Link'] as const) : []),
    ...(isSuccess && has('page') ? (['X-Total-Count-Relation'] as const) : []),
    ...(Object.keys(answer.headers ?? {}) as AnswerHeader[]),
  ]
}

/** What a schema with a name says of itself it says wherever it is used, and not of this answer. */
const ownWords = ({ description, content = {} }: Answer): string | undefined => {
  const ofSchemas = Object.values(content).flatMap(({ schema }) =>
    schema?.title === undefined ? [] : schema.description,
  )
  return description === nothingSaid || ofSchemas.includes(description) ? undefined : description
}

const describeSuccess = ({ parameters = [], summary = 'Done.' }: Operation): string =>
  parameters.some(({ name }) => name === 'page') ? 'One page.' : summary
