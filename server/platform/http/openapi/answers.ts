import { mapValues, type Answer, type Operation } from './document-types.ts'

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
  429: 'Too many failed logins; `Retry-After` says when to try again.',
  500: 'A bug; nothing was changed.',
}

/** Says what each answer of the operation means, which OpenAPI demands: in the words of the route, else by its status. */
export const describeAnswers = (operation: Operation): Operation => ({
  ...operation,
  responses: mapValues(operation.responses ?? {}, (answer, status) => ({
    ...answer,
    description: ownWords(answer) ?? usual[status] ?? describeSuccess(operation),
  })),
})

/** What a schema with a name says of itself it says wherever it is used, and not of this answer. */
const ownWords = ({ description, content = {} }: Answer): string | undefined => {
  const ofSchemas = Object.values(content).flatMap(({ schema }) =>
    schema?.title === undefined ? [] : schema.description,
  )
  return description === nothingSaid || ofSchemas.includes(description) ? undefined : description
}

const describeSuccess = ({ parameters = [], summary = 'Done.' }: Operation): string =>
  parameters.some(({ name }) => name === 'page')
    ? 'One page. `X-Total-Count` says how many there are on all pages, `Link` where the other pages are.'
    : summary
