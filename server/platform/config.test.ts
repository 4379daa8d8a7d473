import { describe, expect, test } from 'vitest'
import { configHelp, readConfig } from './config.ts'

const secret = 'a secret key of thirty-two characters!'

describe('the configuration', () => {
  test('has a default for everything that a laptop needs', () => {
    const config = readConfig({})
    expect(config).toMatchObject({
      HOST: '127.0.0.1',
      PORT: 4000,
      DATA_DIR: './data',
      MAX_ATTEMPTS: 18,
      FLOW_ENGINE: 'nifi',
      NODE_ENV: 'development',
    })
    expect(Object.isFrozen(config)).toBe(true)
  })

  test('an empty variable counts as absent', () => {
    expect(readConfig({ PORT: '', HOST: '  ' })).toMatchObject({ PORT: 4000, HOST: '127.0.0.1' })
  })

  test.each([
    ['PORT', '70000', /PORT .*65535/],
    ['PORT', 'abc', /PORT .*integer/],
    ['PORT', '80.5', /PORT .*integer/],
    ['PUBLIC_URL', 'ftp://x', /PUBLIC_URL must be an http\(s\) URL/],
    ['DATABASE_URL', 'mysql://x', /DATABASE_URL must be a postgres:\/\/ URL/],
    ['ALLOWED_NETWORKS', '10.0.0.0/33', /ALLOWED_NETWORKS must be networks/],
    ['ALLOWED_NETWORKS', 'localhost', /ALLOWED_NETWORKS must be networks/],
    ['LOG_LEVEL', 'loud', /LOG_LEVEL must be one of: fatal, error, /],
    ['NODE_ENV', 'staging', /NODE_ENV must be one of: development, test, production/],
    ['MAX_ATTEMPTS', '0', /MAX_ATTEMPTS .*1/],
    ['SECRET_KEY', 'short', /SECRET_KEY .*32/],
    ['SECRET_KEY_PREVIOUS', `${secret},short`, /SECRET_KEY_PREVIOUS must be keys of at least 32 characters/],
    ['CONSOLE_URL', 'console.example', /CONSOLE_URL must be an http\(s\) URL/],
    ['STOREFRONT_URL', 'https://shop.example/#x', /STOREFRONT_URL must be .* without .* a fragment/],
    ['ADMIN_EMAIL', 'nobody', /ADMIN_EMAIL must be an e-mail address/],
    ['SMTP_URL', 'http://mail.example', /SMTP_URL must be an smtp:\/\/ or smtps:\/\/ URL/],
    ['SMTP_URL', 'smtp://mail.example/?pool=true', /SMTP_URL must be .*nothing after its port/],
    ['SMTP_URL', 'smtp://%zz:secret@mail.example', /SMTP_URL must be/],
    ['MAIL_FROM', 'Waybill', /MAIL_FROM must be an e-mail address, or a name and an address/],
    ['ALERT_EMAILS', 'ann@shop.example, bob', /ALERT_EMAILS must be e-mail addresses, separated by commas/],
    ['CORS_ORIGINS', 'https://shop.example/path', /CORS_ORIGINS must be origins/],
    ['WEBHOOK_SERVICE_PATH', 'a/b', /WEBHOOK_SERVICE_PATH/],
    ['B2B_BULK_PROCESSES_BATCH_SIZE', '0', /B2B_BULK_PROCESSES_BATCH_SIZE .*1/],
    ['B2B_BULK_PROCESSES_BATCH_SIZE', '1.5', /B2B_BULK_PROCESSES_BATCH_SIZE/],
    ['S3_BUCKET', 'Waybill', /S3_BUCKET must be 3 to 63 of a-z/],
    ['S3_BUCKET', 'a..b', /S3_BUCKET must be 3 to 63 of a-z/],
    ['S3_BUCKET', '10.0.0.1', /S3_BUCKET must be 3 to 63 of a-z/],
    ['S3_BUCKET', 'ab', /S3_BUCKET must be 3 to 63 of a-z/],
    ['S3_ENDPOINT', 's3.example', /S3_ENDPOINT must be an http\(s\) URL with nothing after host and port/],
    ['S3_ENDPOINT', 'https://s3.example/path', /S3_ENDPOINT must be .* nothing after host and port/],
    ['S3_ENDPOINT', 'https://user:pass@s3.example', /S3_ENDPOINT must be/],
    ['S3_ENDPOINT', 'ftp://s3.example', /S3_ENDPOINT must be/],
    ['S3_REGION', 'eu central', /S3_REGION/],
    ['S3_ACCESS_KEY_ID', 'a key', /S3_ACCESS_KEY_ID/],
    ['S3_SECRET_ACCESS_KEY', 'with a space', /S3_SECRET_ACCESS_KEY/],
    ['COMMERCE_CONNECTOR', 'shop', /COMMERCE_CONNECTOR must be one of: ledger, http/],
    ['COMMERCE_URL', 'shop.example', /COMMERCE_URL must be an http\(s\) URL/],
    ['COMMERCE_URL', 'https://user:pass@shop.example/', /COMMERCE_URL must be .*without a user name/],
    ['COMMERCE_URL', 'https://shop.example/#orders', /COMMERCE_URL must be .*without .* a fragment/],
    ['COMMERCE_SECRET', 'whsec_c2hvcnQ=', /COMMERCE_SECRET must be the base64 of 24 to 64 bytes/],
    ['COMMERCE_SECRET', 'whsec_not base64 at all', /COMMERCE_SECRET must be the base64/],
    ['COMMERCE_SECRET', 'x'.repeat(257), /COMMERCE_SECRET .*256/],
    ['FLOW_ENGINE', 'v1', /FLOW_ENGINE must be .* not v1/],
    ['FLOW_ENGINE', 'NiFi', /FLOW_ENGINE must be/],
    ['FLOW_ENGINE', 'a/b', /FLOW_ENGINE must be/],
    ['FLOW_ENGINE', 'a'.repeat(41), /FLOW_ENGINE must be/],
  ])('%s=%s stops the start with one line that names it', (name, value, message) => {
    expect(() => readConfig({ [name]: value })).toThrow(message)
    expect(() => readConfig({ [name]: value })).toThrow(/^[^\n]*$/)
  })

  test('all that is wrong is said at once, a line for each', () => {
    const wrong = { PORT: 'abc', LOG_LEVEL: 'loud', SECRET_KEY: 'short', DATABASE_URL: 'postgres://h/d' }
    const both = { ...wrong, OIDC_ISSUER: 'https://id.example' }
    expect(() => readConfig(both)).toThrow(
      /^PORT .*\nSECRET_KEY (?!is required).*\nLOG_LEVEL .*\nOIDC_AUDIENCE [^\n]*$/,
    )
  })

  test('a bad COMMERCE_SECRET is not repeated in the error, nor a password in COMMERCE_URL', () => {
    const wrong = { COMMERCE_SECRET: 'whsec_hush', COMMERCE_URL: 'https://shop:hush@shop.example/' }
    expect(() => readConfig(wrong)).toThrow(/^COMMERCE_URL .*\nCOMMERCE_SECRET /)
    expect(() => readConfig(wrong)).toThrow(/^(?![^]*hush)/)
  })

  test('a bad S3_SECRET_ACCESS_KEY is not repeated in the error, nor a password in S3_ENDPOINT', () => {
    const wrong = { S3_SECRET_ACCESS_KEY: 'hush hush', S3_ENDPOINT: 'https://key:hush@s3.example' }
    expect(() => readConfig(wrong)).toThrow(/^S3_ENDPOINT .*\nS3_SECRET_ACCESS_KEY /)
    expect(() => readConfig(wrong)).toThrow(/^(?![^]*hush)/)
  })

  test.each(['SECRET_KEY', 'SECRET_KEY_PREVIOUS', 'ADMIN_PASSWORD', 'DATABASE_URL', 'SMTP_URL'])(
    'a bad %s is not repeated in the error',
    (name) => {
      expect(() => readConfig({ [name]: 'hush' })).toThrow(/^(?!.*hush)/)
    },
  )

  test('PostgreSQL needs a SECRET_KEY, because several processes must have the same', () => {
    expect(() => readConfig({ DATABASE_URL: 'postgres://h/d' })).toThrow(/SECRET_KEY is required/)
    expect(readConfig({ DATABASE_URL: 'postgres://h/d', SECRET_KEY: secret }).SECRET_KEY).toBe(secret)
  })

  test('an identity provider needs an audience', () => {
    expect(() => readConfig({ OIDC_ISSUER: 'https://id.example' })).toThrow(/OIDC_AUDIENCE is required/)
  })

  test('orders that go to a platform need to know where it is, and to be signed', () => {
    const http = { COMMERCE_CONNECTOR: 'http' }
    expect(() => readConfig(http)).toThrow(/^COMMERCE_URL is required.*\nCOMMERCE_SECRET is required[^\n]*$/)
    const address = { COMMERCE_URL: 'https://shop.example/orders?from=b2b', COMMERCE_SECRET: 'any text will do' }
    expect(readConfig({ ...http, ...address })).toMatchObject({ ...http, ...address })
    expect(readConfig({}).COMMERCE_CONNECTOR).toBe('ledger')
  })

  test('a bucket needs a key and its secret, and a key a bucket', () => {
    const bucket = { S3_BUCKET: 'waybill-exports' }
    expect(() => readConfig(bucket)).toThrow(
      /^S3_ACCESS_KEY_ID is required with S3_BUCKET.*\nS3_SECRET_ACCESS_KEY is required with S3_BUCKET[^\n]*$/,
    )
    const key = { S3_ACCESS_KEY_ID: 'AKIAEXAMPLE', S3_SECRET_ACCESS_KEY: 'any/text+will=do' }
    expect(() => readConfig(key)).toThrow(/^S3_BUCKET is required with S3_ACCESS_KEY_ID[^\n]*$/)
    const defaults = { S3_ENDPOINT: 'https://s3.amazonaws.com', S3_REGION: 'us-east-1' }
    expect(readConfig({ ...bucket, ...key })).toMatchObject({ ...bucket, ...key, ...defaults })
    const own = { S3_ENDPOINT: 'http://[::1]:9000', S3_REGION: 'garage' }
    expect(readConfig({ ...bucket, ...key, ...own })).toMatchObject(own)
  })

  test('alerts are kept where no server sends them', () => {
    const alerts = { ALERT_EMAILS: 'ann@shop.example, bob@shop.example' }
    expect(readConfig(alerts)).toMatchObject(alerts)
    expect(readConfig({ ...alerts, SMTP_URL: 'smtps://a:b%40c@mail.example' })).toMatchObject(alerts)
  })

  test('the help lists every variable with its default', () => {
    const help = configHelp()
    for (const name of Object.keys(readConfig({}))) expect(help).toContain(name)
    expect(help).toContain('Default: 4000.')
  })
})
