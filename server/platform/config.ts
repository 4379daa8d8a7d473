import { isIP } from 'node:net'
import { Type, type Static, type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { isMailAddress, mailboxOf } from './mail/mailbox.ts'
import { isSmtpUrl } from './mail/smtp.ts'
import { isBucketName, storageSettings, storageTogether } from './storage/storage-settings.ts'

const shortestKey = 32

/**
 * Every setting of the server: an environment variable, its meaning, and its default. This schema
 * is also what `npm start -- --help` prints, so a setting that is not here does not exist.
 */
const schema = Type.Object({
  HOST: Type.String({ minLength: 1, default: '127.0.0.1', description: 'Address to listen on.' }),
  PORT: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    default: 4000,
    description: 'Port to listen on; 0 picks a free one.',
  }),
  PUBLIC_URL: Type.Optional(
    Type.String({
      format: 'http-url',
      description: 'Address that others reach this server at. Default: http://HOST:PORT.',
    }),
  ),
  DATABASE_URL: Type.Optional(
    Type.String({
      format: 'postgres-url',
      description: 'PostgreSQL 15 or newer. Without it the embedded database in DATA_DIR.',
    }),
  ),
  DATABASE_POOL_SIZE: Type.Integer({
    minimum: 2,
    maximum: 500,
    default: 10,
    description: 'Connections to PostgreSQL.',
  }),
  DATA_DIR: Type.String({ minLength: 1, default: './data', description: 'Embedded database, lock and generated key.' }),
  ADMIN_EMAIL: Type.Optional(
    Type.String({ format: 'e-mail', description: 'E-mail of the superuser made on first start.' }),
  ),
  ADMIN_PASSWORD: Type.Optional(
    Type.String({
      minLength: 8,
      maxLength: 128,
      description: 'Its password. Without it one is made and printed once.',
    }),
  ),
  SECRET_KEY: Type.Optional(
    Type.String({
      minLength: shortestKey,
      description:
        'Encrypts stored secrets, signs tokens and links. Made in DATA_DIR when embedded, required with DATABASE_URL.',
    }),
  ),
  SECRET_KEY_PREVIOUS: Type.String({
    format: 'key-list',
    default: '',
    description: 'Earlier SECRET_KEYs (commas) that can still open what is stored, while the key is being changed.',
  }),
  ALLOWED_NETWORKS: Type.String({
    format: 'cidr-list',
    default: '',
    description: 'Networks (CIDR, commas) that webhooks may reach besides public addresses.',
  }),
  MAX_ATTEMPTS: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 18,
    description: 'Attempts before a delivery has failed.',
  }),
  ENDPOINT_FAILING_AFTER: Type.Integer({
    minimum: 1,
    maximum: 1_000,
    default: 5,
    description: 'Failed deliveries in a row after which an endpoint gets one at a time.',
  }),
  ENDPOINT_DISABLED_AFTER_HOURS: Type.Integer({
    minimum: 1,
    maximum: 2_160,
    default: 120,
    description: 'Hours without one success after which a failing endpoint is switched off.',
  }),
  ENDPOINT_PROBE_EVERY_MINUTES: Type.Integer({
    minimum: 1,
    maximum: 10_080,
    default: 60,
    description: 'Minutes between two tries of an endpoint that was switched off for failing.',
  }),
  DELIVERY_CONCURRENCY: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    default: 512,
    description: 'Requests in flight at once.',
  }),
  EVENT_RETENTION_DAYS: Type.Integer({
    minimum: 1,
    maximum: 36_500,
    default: 90,
    description: 'Days that events and their deliveries are kept.',
  }),
  ATTEMPT_RETENTION_DAYS: Type.Integer({
    minimum: 1,
    maximum: 36_500,
    default: 30,
    description: 'Days that the log of attempts is kept.',
  }),
  ERROR_REPORT_OK_DAYS: Type.Integer({
    minimum: 1,
    maximum: 36_500,
    default: 14,
    description: 'Days that error reports which log a success are kept.',
  }),
  ERROR_REPORT_RESOLVED_DAYS: Type.Integer({
    minimum: 1,
    maximum: 36_500,
    default: 90,
    description: 'Days that error reports are kept after they were resolved. Open ones are kept.',
  }),
  WEBHOOK_SERVICE_PATH: Type.String({
    pattern: '^[a-z0-9_-]{1,40}$',
    default: 'whisperer',
    description: 'First path segment of the order-management hook service.',
  }),
  FLOW_ENGINE: Type.String({
    format: 'flow-engine',
    default: 'nifi',
    description: 'Path segment after /api/ of the flow-integration service.',
  }),
  COMMERCE_CONNECTOR: Type.Union([Type.Literal('ledger'), Type.Literal('http')], {
    default: 'ledger',
    description: 'Where orders of approved quotations go. ledger: kept here and numbered; http: to COMMERCE_URL.',
  }),
  COMMERCE_URL: Type.Optional(
    Type.String({
      format: 'plain-http-url',
      description: 'Address that orders are POSTed to. Required with COMMERCE_CONNECTOR=http.',
    }),
  ),
  COMMERCE_SECRET: Type.Optional(
    Type.String({
      maxLength: 256,
      format: 'signing-secret',
      description:
        'Signs those requests (Standard Webhooks): whsec_ and base64, or any text. Required with COMMERCE_CONNECTOR=http.',
    }),
  ),
  B2B_BULK_PROCESSES_BATCH_SIZE: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    default: 500,
    description: 'Most units of one order. What is approved already keeps its own.',
  }),
  ...storageSettings,
  OIDC_ISSUER: Type.Optional(
    Type.String({
      format: 'http-url',
      description: 'Identity provider whose JWTs are accepted (OpenID Connect discovery).',
    }),
  ),
  OIDC_AUDIENCE: Type.Optional(
    Type.String({ minLength: 1, description: 'Audience those JWTs must have. Required with OIDC_ISSUER.' }),
  ),
  SMTP_URL: Type.Optional(
    Type.String({
      format: 'smtp-url',
      description: 'Server that sends e-mail: smtp://user:password@host:587 or smtps://. Without it none is sent.',
    }),
  ),
  MAIL_FROM: Type.String({
    format: 'mailbox',
    default: 'Waybill <waybill@localhost>',
    description: 'Sender of e-mail: an address, or Name <address>.',
  }),
  ALERT_EMAILS: Type.String({
    format: 'e-mail-list',
    default: '',
    description: 'Addresses (commas) that are told when an endpoint fails. Needs SMTP_URL.',
  }),
  TRUSTED_PROXIES: Type.String({
    format: 'cidr-list',
    default: '',
    description: 'Proxies (CIDR, commas) whose X-Forwarded-For is believed.',
  }),
  CORS_ORIGINS: Type.String({
    format: 'origin-list',
    default: '',
    description: 'Origins (commas) that browsers may call from.',
  }),
  LOG_LEVEL: Type.Union(
    (['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const).map((level) => Type.Literal(level)),
    { default: 'info', description: 'fatal, error, warn, info, debug, trace or silent.' },
  ),
  NODE_ENV: Type.Union([Type.Literal('development'), Type.Literal('test'), Type.Literal('production')], {
    default: 'development',
    description: 'development, test or production. Outside production webhooks may reach the loopback range.',
  }),
})

type Environment = Readonly<Record<string, string | undefined>>
export type Config = Readonly<Static<typeof schema>>

const isHttpUrl = (text: string): boolean => /^https?:$/.test(protocolOf(text))
const isOrigin = (text: string): boolean => isHttpUrl(text) && new URL(text).origin === text
const protocolOf = (text: string): string => (URL.canParse(text) ? new URL(text).protocol : '')
const listed = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

const isCidr = (text: string): boolean => {
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  const most = family === 4 ? 32 : 128
  return family !== 0 && rest.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
}

/** Whether it is base64, padded, of as many bytes as keys of Standard Webhooks have. */
const isEncodedKey = (text: string): boolean => {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text && bytes.length >= 24 && bytes.length <= 64
}

/** What a value of each format must be, and how that is said to the person who set it. */
const formats: Record<string, { test: (text: string) => boolean; says: string }> = {
  'http-url': { test: isHttpUrl, says: 'must be an http(s) URL' },
  'plain-http-url': {
    test: (text) => isHttpUrl(text) && !/[\s#]|^[^/?#]*\/\/[^/?#]*@/.test(text),
    says: 'must be an http(s) URL without a user name, a password or a fragment (#…)',
  },
  'signing-secret': {
    test: (text) => !text.startsWith('whsec_') || isEncodedKey(text.slice('whsec_'.length)),
    says: 'must be the base64 of 24 to 64 bytes after whsec_, or start otherwise',
  },
  'postgres-url': { test: (text) => /^postgres(ql)?:$/.test(protocolOf(text)), says: 'must be a postgres:// URL' },
  'e-mail': { test: (text) => /^[^\s@]+@[^\s@]+$/.test(text), says: 'must be an e-mail address' },
  'smtp-url': { test: isSmtpUrl, says: 'must be an smtp:// or smtps:// URL with a host and nothing after its port' },
  mailbox: {
    test: (text) => mailboxOf(text) !== undefined,
    says: 'must be an e-mail address, or a name and an address like Waybill <waybill@shop.example>',
  },
  'e-mail-list': {
    test: (text) => listed(text).every(isMailAddress),
    says: 'must be e-mail addresses, separated by commas',
  },
  // `v1` is taken by everything else.
  'flow-engine': {
    test: (text) => /^[a-z0-9-]{1,40}$/.test(text) && text !== 'v1',
    says: 'must be 1 to 40 of a-z, 0-9 and -, and not v1',
  },
  'cidr-list': {
    test: (text) => listed(text).every(isCidr),
    says: 'must be networks like 10.0.0.0/8, separated by commas',
  },
  'key-list': {
    test: (text) => listed(text).every((key) => key.length >= shortestKey),
    says: `must be keys of at least ${shortestKey} characters, separated by commas`,
  },
  'origin-list': {
    test: (text) => listed(text).every(isOrigin),
    says: 'must be origins like https://shop.example, separated by commas',
  },
  origin: {
    test: (text) => isOrigin(text.replace(/\/$/, '')),
    says: 'must be an http(s) URL with nothing after host and port, like https://s3.example',
  },
  bucket: { test: isBucketName, says: 'must be 3 to 63 of a-z, 0-9, - and ., like waybill-exports' },
}

/** A comma-separated setting as a list. */
export const splitList = listed

/**
 * Reads the configuration from environment variables. Empty variables count as absent.
 * @throws Error with a line for each that is wrong, which names the variable and says what is wrong with it.
 */
export const readConfig = (environment: Environment): Config => {
  const values: Record<string, unknown> = {}
  const problems = new Map<string, string>()
  for (const [name, property] of Object.entries<TSchema>(schema.properties)) {
    const text = environment[name]?.trim()
    const value = text === undefined || text === '' ? defaultOf(property) : parse(property, text)
    if (value === undefined) continue
    const problem = problemOf(property, value)
    if (problem === undefined) values[name] = value
    else problems.set(name, `${name} ${problem} (it is ${JSON.stringify(shown(name, text))}).`)
  }
  const config = values as Config
  for (const [name, isNeeded, sentence] of together) {
    // One that is there and wrong is not missing.
    if (values[name] === undefined && !problems.has(name) && isNeeded(config)) problems.set(name, sentence)
  }
  if (problems.size > 0) throw new Error([...problems.values()].join('\n'))
  return Object.freeze(config)
}

/** What is required because of something else that is set. What is wrong counts as not set. */
const together: readonly (readonly [
  name: keyof Config,
  isNeeded: (config: Partial<Config>) => boolean,
  sentence: string,
])[] = [
  [
    'SECRET_KEY',
    ({ DATABASE_URL }) => DATABASE_URL !== undefined,
    'SECRET_KEY is required with DATABASE_URL: at least 32 characters, the same in every process.',
  ],
  [
    'OIDC_AUDIENCE',
    ({ OIDC_ISSUER }) => OIDC_ISSUER !== undefined,
    'OIDC_AUDIENCE is required with OIDC_ISSUER: without it any token of the provider would be accepted.',
  ],
  [
    'COMMERCE_URL',
    ({ COMMERCE_CONNECTOR }) => COMMERCE_CONNECTOR === 'http',
    'COMMERCE_URL is required with COMMERCE_CONNECTOR=http: it is where orders go.',
  ],
  [
    'COMMERCE_SECRET',
    ({ COMMERCE_CONNECTOR }) => COMMERCE_CONNECTOR === 'http',
    'COMMERCE_SECRET is required with COMMERCE_CONNECTOR=http: the platform knows by it who orders.',
  ],
  [
    'SMTP_URL',
    ({ ALERT_EMAILS = '' }) => ALERT_EMAILS !== '',
    'SMTP_URL is required with ALERT_EMAILS: without it nobody would be told.',
  ],
  ...storageTogether,
]

/** Secrets are never repeated in an error that may end up in a log. */
const shown = (name: string, text: string | undefined): string | undefined =>
  /SECRET|PASSWORD|DATABASE_URL|SMTP_URL|COMMERCE_URL|S3_ENDPOINT/.test(name) ? '…' : text

const defaultOf = (property: TSchema): string | number | undefined =>
  (property as { default?: string | number }).default

const parse = (property: TSchema, text: string): unknown =>
  Reflect.get(property, 'type') === 'integer' && /^-?\d{1,15}$/.test(text) ? Number(text) : text

const problemOf = (property: TSchema, value: unknown): string | undefined => {
  const format = Reflect.get(property, 'format') as string | undefined
  const rule = format === undefined ? undefined : formats[format]
  if (rule !== undefined && typeof value === 'string' && !rule.test(value)) return rule.says
  // The formats above are checked here, not by the schema library, which does not know them.
  const { format: _, ...plain } = property as TSchema & { format?: string }
  const words = (plain as { anyOf?: readonly { const?: string }[] }).anyOf?.map((option) => option.const)
  const [first] = Value.Errors(plain, value)
  return first !== undefined && words !== undefined ? `must be one of: ${words.join(', ')}` : first?.message
}

/** The text of `npm start -- --help`. */
export const configHelp = (): string => {
  const lines = Object.entries<TSchema>(schema.properties).map(([name, property]) => {
    const { description } = property as { description?: string }
    const value = defaultOf(property)
    return `  ${name.padEnd(22)} ${description ?? ''}${value === undefined || value === '' ? '' : ` Default: ${value}.`}`
  })
  return [
    'Usage: npm start [-- --role all|api|worker] [--help]',
    '',
    'Environment variables (a .env file is read too):',
    ...lines,
    '',
  ].join('\n')
}
