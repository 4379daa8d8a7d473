import { isIP } from 'node:net'
import { Ajv } from 'ajv'
import { Type, type Static, type TSchema, type TStringOptions } from 'typebox'
import { isMailAddress, mailboxOf } from './mail/mailbox.ts'
import { isSmtpUrl } from './mail/smtp.ts'
import { awsEndpoint } from './storage/object-store.ts'

const shortestKey = 32

const integer = (minimum: number, maximum: number, value: number, description: string) =>
  Type.Integer({ minimum, maximum, default: value, description })
const text = (value: string, description: string, rules: TStringOptions = {}) =>
  Type.String({ ...rules, default: value, description })
const optional = (description: string, rules: TStringOptions = {}) =>
  Type.Optional(Type.String({ ...rules, description }))
const days = (value: number, description: string) => integer(1, 36_500, value, description)
const oneOf = <const Words extends readonly string[]>(words: Words, value: Words[number], description: string) =>
  Type.Unsafe<Words[number]>({ type: 'string', enum: [...words], default: value, description })

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** Every setting: an environment variable, its rules, default and meaning, which are also the text of `npm start -- --help`. */
const schema = Type.Object({
  HOST: text('127.0.0.1', 'Address to listen on.', { minLength: 1 }),
  PORT: integer(0, 65_535, 4000, 'Port to listen on; 0 picks a free one.'),
  PUBLIC_URL: optional('Address that others reach this server at. Default: http://HOST:PORT.', { format: 'http-url' }),
  CONSOLE_URL: optional('Where people find the pages that e-mail leads to; PUBLIC_URL where it is not set.', {
    format: 'plain-http-url',
  }),
  STOREFRONT_URL: optional('The same for buyers; CONSOLE_URL and /shop where it is not set.', {
    format: 'plain-http-url',
  }),
  DATABASE_URL: optional('PostgreSQL 15 or newer. Without it the embedded database in DATA_DIR.', {
    format: 'postgres-url',
  }),
  DATABASE_POOL_SIZE: integer(2, 500, 10, 'Connections to PostgreSQL.'),
  DATA_DIR: text('./data', 'Embedded database, lock and generated key.', { minLength: 1 }),
  ADMIN_EMAIL: optional('E-mail of the superuser made on first start.', { format: 'e-mail' }),
  ADMIN_PASSWORD: optional('Its password. Without it one is made and printed once.', { minLength: 8, maxLength: 128 }),
  SECRET_KEY: optional(
    'Encrypts stored secrets, signs tokens and links. Made in DATA_DIR when embedded, required with DATABASE_URL.',
    { minLength: shortestKey },
  ),
  SECRET_KEY_PREVIOUS: text(
    '',
    'Earlier SECRET_KEYs (commas) that can still open what is stored, while the key is being changed.',
    { format: 'key-list' },
  ),
  ALLOWED_NETWORKS: text('', 'Networks (CIDR, commas) that webhooks may reach besides public addresses.', {
    format: 'cidr-list',
  }),
  MAX_ATTEMPTS: integer(1, 100, 18, 'Attempts before a delivery has failed.'),
  ENDPOINT_FAILING_AFTER: integer(
    1,
    1_000,
    5,
    'Failed deliveries in a row after which an endpoint gets one at a time.',
  ),
  ENDPOINT_DISABLED_AFTER_HOURS: integer(
    1,
    2_160,
    120,
    'Hours without one success after which a failing endpoint is switched off.',
  ),
  ENDPOINT_PROBE_EVERY_MINUTES: integer(
    1,
    10_080,
    60,
    'Minutes between two tries of an endpoint that was switched off for failing.',
  ),
  DELIVERY_CONCURRENCY: integer(1, 10_000, 512, 'Requests in flight at once.'),
  EVENT_RETENTION_DAYS: days(90, 'Days that events and their deliveries are kept.'),
  ATTEMPT_RETENTION_DAYS: days(30, 'Days that the log of attempts is kept.'),
  ERROR_REPORT_OK_DAYS: days(14, 'Days that error reports which log a success are kept.'),
  ERROR_REPORT_RESOLVED_DAYS: days(
    90,
    'Days that error reports are kept after they were resolved. Open ones are kept.',
  ),
  WEBHOOK_SERVICE_PATH: text('whisperer', 'First path segment of the order-management hook service.', {
    pattern: '^[a-z0-9_-]{1,40}$',
  }),
  FLOW_ENGINE: text('nifi', 'Path segment after /api/ of the flow-integration service.', { format: 'flow-engine' }),
  COMMERCE_CONNECTOR: oneOf(
    ['ledger', 'http'],
    'ledger',
    'Where orders of approved quotations go. ledger: kept here and numbered; http: to COMMERCE_URL.',
  ),
  COMMERCE_URL: optional('Address that orders are POSTed to. Required with COMMERCE_CONNECTOR=http.', {
    format: 'plain-http-url',
  }),
  COMMERCE_SECRET: optional(
    'Signs those requests (Standard Webhooks): whsec_ and base64, or any text. Required with COMMERCE_CONNECTOR=http.',
    { maxLength: 256, format: 'signing-secret' },
  ),
  EVENT_SOURCES: text(
    '',
    'Brokers (commas) that events are taken from: nats://user:password@host/STREAM?consumer=name&dead_letter=subject, amqp://user:password@host/vhost?queue=name&dead_letter=exchange.',
  ),
  EVENT_SOURCES_USER: optional(
    'E-mail of the user who raises what comes from there, as with POST /api/v1/events/. Required with EVENT_SOURCES.',
    { format: 'e-mail' },
  ),
  B2B_BULK_PROCESSES_BATCH_SIZE: integer(
    1,
    1_000_000,
    500,
    'Most units of one order. What is approved already keeps its own.',
  ),
  EXPORT_DIR: optional(
    'Folder for exported files; several machines have to share it. Without it exports in DATA_DIR.',
    {
      minLength: 1,
    },
  ),
  S3_BUCKET: optional('Bucket of S3, or of anything that speaks as S3 does, for exported files instead of a folder.', {
    format: 'bucket',
  }),
  S3_ENDPOINT: text(awsEndpoint, 'Where that bucket is.', { format: 'origin' }),
  S3_REGION: text('us-east-1', 'Region of that bucket.', { pattern: '^[A-Za-z0-9_-]{1,64}$' }),
  S3_ACCESS_KEY_ID: optional('Key for that bucket. Required with S3_BUCKET.', { pattern: '^[!-~]{1,128}$' }),
  S3_SECRET_ACCESS_KEY: optional('Secret of that key. Required with S3_BUCKET.', { pattern: '^[!-~]{1,256}$' }),
  OIDC_ISSUER: optional('Identity provider whose JWTs are accepted (OpenID Connect discovery).', {
    format: 'http-url',
  }),
  OIDC_AUDIENCE: optional('Audience those JWTs must have. Required with OIDC_ISSUER.', { minLength: 1 }),
  SMTP_URL: optional(
    'Server that sends e-mail: smtp://user:password@host:587 or smtps://. Without it messages are kept, to be read at /api/v1/mails/.',
    {
      format: 'smtp-url',
    },
  ),
  MAIL_FROM: text('Waybill <waybill@localhost>', 'Sender of e-mail: an address, or Name <address>.', {
    format: 'mailbox',
  }),
  ALERT_EMAILS: text('', 'Addresses (commas) that are told when an endpoint fails.', {
    format: 'e-mail-list',
  }),
  TRUSTED_PROXIES: text('', 'Proxies (CIDR, commas) whose X-Forwarded-For is believed.', { format: 'cidr-list' }),
  CORS_ORIGINS: text('', 'Origins (commas) that browsers may call from.', { format: 'origin-list' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    'Collector of OpenTelemetry traces (OTLP over HTTP, as JSON). Without it nothing is traced.',
    { format: 'http-url' },
  ),
  OTEL_SERVICE_NAME: text('waybill', 'Name of this server in traces.', { minLength: 1 }),
  OTEL_TRACES_SAMPLER: oneOf(samplers, 'parentbased_always_on', `Which requests are traced: ${samplers.join(', ')}.`),
  OTEL_TRACES_SAMPLER_ARG: text('1', 'Share of them, 0 to 1, for the samplers by traceidratio.', {
    pattern: String.raw`^(0(\.\d{1,9})?|1(\.0{1,9})?)$`,
  }),
  LOG_LEVEL: oneOf(
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    'info',
    'fatal, error, warn, info, debug, trace or silent.',
  ),
  NODE_ENV: oneOf(
    ['development', 'test', 'production'],
    'development',
    'development, test or production. Outside production webhooks may reach the loopback range.',
  ),
})

type Environment = Readonly<Record<string, string | undefined>>
export type Config = Readonly<Static<typeof schema>>

const protocolOf = (url: string): string => (URL.canParse(url) ? new URL(url).protocol : '')
const isHttpUrl = (url: string): boolean => /^https?:$/.test(protocolOf(url))
const isOrigin = (url: string): boolean => isHttpUrl(url) && new URL(url).origin === url

/** A comma-separated setting as a list. */
export const splitList = (setting: string): string[] =>
  setting.split(',').flatMap((item) => (item.trim() === '' ? [] : [item.trim()]))
const everyOne =
  (fits: (item: string) => boolean) =>
  (setting: string): boolean =>
    splitList(setting).every(fits)

const isCidr = (network: string): boolean => {
  const [address = '', bits, ...rest] = network.split('/')
  const family = isIP(address)
  const most = family === 4 ? 32 : 128
  return family !== 0 && rest.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
}

/** Names that every service like S3 takes: lower case, without the forms that are read as addresses. */
const isBucketName = (name: string): boolean =>
  /^(?!.*\.\.)(?!\d+\.\d+\.\d+\.\d+$)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name)

/** Whether it is base64, padded, of as many bytes as keys of Standard Webhooks have. */
const isEncodedKey = (secret: string): boolean => {
  const bytes = Buffer.from(secret, 'base64')
  return bytes.toString('base64') === secret && bytes.length >= 24 && bytes.length <= 64
}

/** What a value of each format must be, and how that is said to the person who set it. */
const formats: Readonly<Record<string, readonly [fits: (text: string) => boolean, says: string]>> = {
  'http-url': [isHttpUrl, 'must be an http(s) URL'],
  'plain-http-url': [
    (url) => isHttpUrl(url) && !/[\s#]|^[^/?#]*\/\/[^/?#]*@/.test(url),
    'must be an http(s) URL without a user name, a password or a fragment (#…)',
  ],
  'signing-secret': [
    (secret) => !secret.startsWith('whsec_') || isEncodedKey(secret.slice('whsec_'.length)),
    'must be the base64 of 24 to 64 bytes after whsec_, or start otherwise',
  ],
  'postgres-url': [(url) => /^postgres(ql)?:$/.test(protocolOf(url)), 'must be a postgres:// URL'],
  'e-mail': [(address) => /^[^\s@]+@[^\s@]+$/.test(address), 'must be an e-mail address'],
  'smtp-url': [isSmtpUrl, 'must be an smtp:// or smtps:// URL with a host and nothing after its port'],
  mailbox: [
    (mailbox) => mailboxOf(mailbox) !== undefined,
    'must be an e-mail address, or a name and an address like Waybill <waybill@shop.example>',
  ],
  'e-mail-list': [everyOne(isMailAddress), 'must be e-mail addresses, separated by commas'],
  // `v1` is taken by everything else.
  'flow-engine': [(path) => /^(?!v1$)[a-z0-9-]{1,40}$/.test(path), 'must be 1 to 40 of a-z, 0-9 and -, and not v1'],
  'cidr-list': [everyOne(isCidr), 'must be networks like 10.0.0.0/8, separated by commas'],
  'key-list': [
    everyOne((key) => key.length >= shortestKey),
    `must be keys of at least ${shortestKey} characters, separated by commas`,
  ],
  'origin-list': [everyOne(isOrigin), 'must be origins like https://shop.example, separated by commas'],
  origin: [
    (url) => isOrigin(url.replace(/\/$/, '')),
    'must be an http(s) URL with nothing after host and port, like https://s3.example',
  ],
  bucket: [isBucketName, 'must be 3 to 63 of a-z, 0-9, - and ., like waybill-exports'],
}

/**
 * Reads the configuration from environment variables. Empty variables count as absent.
 * @throws Error with a line for each that is wrong, which names the variable and says what is wrong with it.
 */
export const readConfig = (environment: Environment): Config => {
  const values: Record<string, unknown> = {}
  const problems = new Map<string, string>()
  for (const [name, setting] of settings) {
    const given = environment[name]?.trim() ?? ''
    if (given === '') {
      if (setting.default !== undefined) values[name] = setting.default
      continue
    }
    const value = parse(setting, given)
    const problem = problemOf(setting, value)
    if (problem === undefined) values[name] = value
    else problems.set(name, `${name} ${problem} (it is ${JSON.stringify(shown(name, given))}).`)
  }
  const config = values as Config
  for (const [name, isNeeded, sentence] of together) {
    // A setting that is there and wrong is not missing.
    if (values[name] === undefined && !problems.has(name) && isNeeded(config)) problems.set(name, sentence)
  }
  if (problems.size > 0) throw new Error([...problems.values()].join('\n'))
  return Object.freeze(config)
}

/** What is required because of something else that is set. What is wrong counts as not set. */
type Requirement = readonly [name: keyof Config, isNeeded: (config: Partial<Config>) => boolean, sentence: string]

const isHttpConnector = ({ COMMERCE_CONNECTOR }: Partial<Config>): boolean => COMMERCE_CONNECTOR === 'http'
const hasBucket = ({ S3_BUCKET }: Partial<Config>): boolean => S3_BUCKET !== undefined
const together: readonly Requirement[] = [
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
    'EVENT_SOURCES_USER',
    ({ EVENT_SOURCES = '' }) => EVENT_SOURCES !== '',
    'EVENT_SOURCES_USER is required with EVENT_SOURCES: ids of events belong to a user, who has to be active staff.',
  ],
  ['COMMERCE_URL', isHttpConnector, 'COMMERCE_URL is required with COMMERCE_CONNECTOR=http: it is where orders go.'],
  [
    'COMMERCE_SECRET',
    isHttpConnector,
    'COMMERCE_SECRET is required with COMMERCE_CONNECTOR=http: the platform knows by it who orders.',
  ],
  [
    'S3_ACCESS_KEY_ID',
    hasBucket,
    'S3_ACCESS_KEY_ID is required with S3_BUCKET: nothing is read or written without it.',
  ],
  [
    'S3_SECRET_ACCESS_KEY',
    hasBucket,
    'S3_SECRET_ACCESS_KEY is required with S3_BUCKET: nothing is read or written without it.',
  ],
  [
    'S3_BUCKET',
    ({ S3_ACCESS_KEY_ID }) => S3_ACCESS_KEY_ID !== undefined,
    'S3_BUCKET is required with S3_ACCESS_KEY_ID: without it files would go to a folder of this machine.',
  ],
]

/** Secrets are never repeated in an error that may end up in a log. */
const shown = (name: string, given: string | undefined): string | undefined =>
  /SECRET|PASSWORD|DATABASE_URL|SMTP_URL|COMMERCE_URL|S3_ENDPOINT|EVENT_SOURCES$/.test(name) ? '…' : given

/** A setting as the table has it. */
interface Setting {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly string[]
  readonly default?: string | number
  readonly description?: string
}
const settings = Object.entries<TSchema & Setting>(schema.properties)
export const settingNames: readonly string[] = settings.map(([name]) => name)

const parse = ({ type }: Setting, given: string): string | number =>
  type === 'integer' && /^-?\d{1,15}$/.test(given) ? Number(given) : given

const ajv = new Ajv()

/** Formats are checked here, not by the schema library, which does not know them. */
const problemOf = ({ format, ...rules }: TSchema & Setting, value: string | number): string | undefined => {
  const [fits, says] = formats[format ?? ''] ?? []
  if (fits?.(String(value)) === false) return says
  if (ajv.validate(rules, value)) return undefined
  return rules.enum === undefined ? ajv.errors?.[0]?.message : `must be one of: ${rules.enum.join(', ')}`
}

/** The text of `npm start -- --help`. */
export const configHelp = (): string => {
  const lines = settings.map(([name, { description = '', default: value = '' }]) => {
    return `  ${name.padEnd(22)} ${description}${value === '' ? '' : ` Default: ${value}.`}`
  })
  const usage = [
    'Usage: npm start [-- --role all|api|worker] [--demo] [--help]',
    '',
    '  --demo  A company with a month of history to look at, in ./data-demo unless DATA_DIR says otherwise.',
    '',
    'Environment variables (a .env file is read too):',
  ]
  return [...usage, ...lines, ''].join('\n')
}
