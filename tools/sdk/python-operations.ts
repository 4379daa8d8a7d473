import { parametersOf, routes, takesIdempotencyKey, follow, type Parameter, type Route } from './document.ts'
import { docstring, pascal, snake, type PythonTypes } from './python-types.ts'

/** One method of the Python client for each operation but the stream, which does not end. */
export const pythonOperations = (types: PythonTypes): string =>
  routes
    .filter((route) => !answersOf(route).has('text/event-stream'))
    .map((route) => methodOf(route, types))
    .join('\n')

const methodOf = (route: Route, types: PythonTypes): string => {
  const parameters = parametersOf(route)
  const inPath = parameters.filter((one) => one.in === 'path')
  const query = queryOf(parameters, route.operationId, types)
  const body = bodyOf(route, types)
  const headers = headersOf(route)
  const named = [...(body?.keyword ?? []), ...headers.map((name) => `${name}: Optional[str] = None`)]
  const signature = [
    'self',
    ...inPath.map(({ name, schema }) => `${snake(name)}: ${schema.type === 'integer' ? 'int' : 'str'}`),
    ...(body?.positional ?? []),
    ...(named.length > 0 ? ['*', ...named] : []),
    ...(query === undefined ? [] : [`**query: Unpack[models.${query}]`]),
  ]
  const passed = [
    ...placeOf(route, inPath),
    ...(body?.passed ?? []),
    ...(query === undefined ? [] : ['query=query']),
    ...headers.map((name) => `${name}=${name}`),
    ...(route.method === 'post' && !takesIdempotencyKey(route) ? ['takes_key=False'] : []),
  ]
  return [
    `    def ${snake(route.operationId)}(${signature.join(', ')}) -> ${resultOf(route, types)}:`,
    docstring(route.summary, '        '),
    `        return self._send(${passed.join(', ')})`,
    '',
  ].join('\n')
}

const headersOf = (route: Route): string[] => [
  ...(parametersOf(route).some(({ name }) => name === 'if-match') ? ['if_match'] : []),
  ...(takesIdempotencyKey(route) ? ['idempotency_key'] : []),
]

const placeOf = ({ method, path }: Route, inPath: readonly Parameter[]): string[] => {
  const url = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => `{segment(${snake(name)})}`)
  return [`"${method.toUpperCase()}"`, `${inPath.length > 0 ? 'f' : ''}"${url}"`]
}

/** Defines a class of what may stand behind the `?`. */
const queryOf = (parameters: readonly Parameter[], operationId: string, types: PythonTypes): string | undefined => {
  const inQuery = parameters.filter((one) => one.in === 'query')
  if (inQuery.length === 0) return undefined
  const name = `${pascal(operationId)}Query`
  types.define(name, {
    description: `Parameters of \`${snake(operationId)}\`.`,
    properties: Object.fromEntries(inQuery.map((one) => [one.name, one.schema])),
    required: inQuery.filter(({ required }) => required).map((one) => one.name),
  })
  return name
}

interface Body {
  readonly positional: readonly string[]
  readonly keyword: readonly string[]
  readonly passed: readonly string[]
}

const bodyOf = ({ requestBody, operationId }: Route, types: PythonTypes): Body | undefined => {
  if (requestBody === undefined) return undefined
  const [mediaTypes, isRequired] = [Object.keys(requestBody.content), requestBody.required === true]
  const json = requestBody.content['application/json']?.schema
  if (json !== undefined) {
    const type = inModels(types.typeOf(json, `${pascal(operationId)}Body`))
    return {
      positional: [isRequired ? `body: ${type}` : `body: Optional[${type}] = None`],
      keyword: [],
      passed: ['body=body'],
    }
  }
  const [first = ''] = mediaTypes
  const preset = first.includes('*') ? '' : ` = "${first}"`
  return {
    positional: ['body: bytes'],
    keyword: [`content_type: str${preset}`],
    passed: ['body=body', 'content_type=content_type'],
  }
}

const answersOf = ({ responses }: Route): Map<string, object> =>
  new Map(
    Object.entries(responses)
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([, answer]) => Object.entries(follow(answer).content ?? {}))
      .map(([type, { schema = {} }]) => [type, schema]),
  )

const resultOf = (route: Route, types: PythonTypes): string => {
  const answers = answersOf(route)
  if (answers.size === 0) return 'None'
  const json = answers.get('application/json')
  if (json !== undefined) return inModels(types.typeOf(json, `${pascal(route.operationId)}Answer`))
  return answers.has('text/plain') ? 'str' : 'bytes'
}

const inModels = (type: string): string => type.replaceAll(/"(\w+)"/g, 'models.$1')
