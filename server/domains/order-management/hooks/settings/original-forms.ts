import { Busboy } from '@fastify/busboy'
import { AppError } from '#platform/errors.ts'
import { parseJsonBody } from '#platform/http/json-body.ts'
import { isObject } from '#platform/sent-fields.ts'

/** Fields of a form whose text is JSON, as the original's forms send them. */
const jsonFields = new Set(['config', 'additional_headers', 'retry_countdown_config', 'kwargs', 'hooks'])

/** The texts that the original takes for a boolean. */
const booleans = new Map<string, boolean>([
  ...['true', 't', 'yes', 'y', 'on', '1'].map((text) => [text, true] as const),
  ...['false', 'f', 'no', 'n', 'off', '0'].map((text) => [text, false] as const),
])

/** Those texts in any case. */
export const booleanPattern = `^(?:${[...booleans.keys()]
  .map((text) => text.replaceAll(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`))
  .join('|')})$`

/**
 * The fields of a form as the JSON that they mean: a dot in a name leads into an object, and a field that comes several
 * times is an array.
 * @throws AppError 400 for a body that is no form.
 */
export const readForm = async (body: Buffer, contentType: string): Promise<Record<string, unknown>> => {
  const fields = Map.groupBy(await fieldsOf(body, contentType), ({ path }) => path)
  const read: Record<string, unknown> = {}
  for (const [path, given] of fields) {
    const names = path.split('.')
    const name = names.pop() ?? ''
    const values = given.map(({ value }) => valueOf(name, value))
    const parent = names.reduce((object, key) => {
      const child = Object.hasOwn(object, key) ? object[key] : undefined
      return isObject(child) ? child : setOwn(object, key, {})
    }, read)
    setOwn(parent, name, values.length === 1 ? values[0] : values)
  }
  return read
}

interface Field {
  readonly path: string
  readonly value: string
}

/** More than any client sends, and quick to refuse. */
const maxParts = 1_000

/** Files in a form are no fields of a hook, and are left out. */
const fieldsOf = (body: Buffer, contentType: string): Promise<Field[]> =>
  new Promise((resolve, reject) => {
    const fail = (cause: unknown) =>
      reject(new AppError('parse_error', 400, 'The body is not the form that its content type names.', { cause }))
    const failForMany = () => reject(new AppError('parse_error', 400, `A form has at most ${maxParts} fields.`))
    const fields: Field[] = []
    try {
      new Busboy({ headers: { 'content-type': contentType }, limits: { parts: maxParts, fields: maxParts + 1 } })
        // A part of a form may have no name, whatever the type of the callback says.
        .on('field', (path: string | undefined, value) =>
          path === undefined ? fail('no name') : fields.push({ path, value }),
        )
        // A body that ends within a file is told to the stream of the file alone.
        .on('file', (_, stream) => stream.on('error', fail).resume())
        .on('partsLimit', failForMany)
        .on('finish', () => (fields.length > maxParts ? failForMany() : resolve(fields)))
        .on('error', fail)
        .end(body)
    } catch (error) {
      fail(error)
    }
  })

const valueOf = (name: string, value: string): unknown => {
  const isSeveral = name === 'event_type' && value.startsWith('[')
  if (!jsonFields.has(name) && !isSeveral) return value
  if (value === '') return null
  try {
    return parseJsonBody(Buffer.from(value))
  } catch (error) {
    // `retry_countdown_config` may be a bare name.
    if (error instanceof AppError && error.code === 'parse_error') return value
    throw error
  }
}

/** Also a name such as `__proto__` is a field like any other, which validation refuses. */
const setOwn = <T>(object: Record<string, unknown>, key: string, value: T): T => {
  Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true })
  return value
}

/** A body with the types that it means: booleans, integers and header values may be text, and an empty text is none. */
export const withoutTexts = (body: Record<string, unknown>): Record<string, unknown> => {
  const read = { ...body }
  for (const name of ['is_active', 'force', 'start'])
    if (['string', 'number'].includes(typeof read[name]))
      read[name] = booleans.get(String(read[name]).toLowerCase()) ?? read[name]
  for (const name of ['secret_key', 'callback']) if (read[name] === '') read[name] = null
  const { additional_headers: headers, retry_countdown_config: retry, config } = read
  if (isObject(headers)) read['additional_headers'] = readHeaders(headers)
  if (isObject(retry) && isObject(retry['kwargs']))
    read['retry_countdown_config'] = { ...retry, kwargs: mapValues(retry['kwargs'], integerOf) }
  if (isObject(config) && 'max_attempts' in config)
    read['config'] = { ...config, max_attempts: integerOf(config['max_attempts']) }
  return read
}

/** Numbers as text, and without the content type that every delivery has anyway. */
const readHeaders = (headers: Record<string, unknown>): Record<string, unknown> => {
  const texts = mapValues(headers, (value) => (typeof value === 'number' ? String(value) : value))
  const isJson = ([name, value]: [string, unknown]): boolean =>
    name.toLowerCase() === 'content-type' && typeof value === 'string' && /^application\/json\b/i.test(value)
  return Object.fromEntries(Object.entries(texts).filter((header) => !isJson(header)))
}

const integerOf = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value

const mapValues = (object: Record<string, unknown>, change: (value: unknown) => unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]))
