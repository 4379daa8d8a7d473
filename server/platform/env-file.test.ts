import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { envFileWarnings } from './env-file.ts'

const settings = ['PORT', 'HOST', 'SMTP_URL', 'SECRET_KEY', 'NODE_ENV', 'DATA_DIR', 'MAIL_FROM', 'LOG_LEVEL']

test.each<[string, number[]]>([
  ['', []],
  ['PORT=4001\n\n# a comment\n  # another\nHOST=', []],
  ['PORT 4001', [1]],
  ['PORT=4001\nHOST 0.0.0.0\r\nexport LOG_LEVEL=warn\nSECRET_KEY\n', [2, 4]],
  ['MAIL_FROM="one\ntwo\nthree"\nstray\nPORT=1', [4]],
  ["HOST='x' # why\nPORT=`y\nz`\nstray", [4]],
  ['HOST="never closed\nstray', [2]],
])('of %j the lines that set nothing are %j', (text, lines) => {
  expect(envFileWarnings(text, settings)).toEqual(
    lines.map((line) => `Line ${line} of .env is left out: it is no NAME=value.`),
  )
})

test('a value over several lines is one to Node.js too', () => {
  expect(parseEnv('A="one\ntwo"\nB=1')).toEqual({ A: 'one\ntwo', B: '1' })
})

test.each([
  ['SMPT_URL=smtp://mail.example', ['SMPT_URL in .env is no setting and changes nothing. Did you mean SMTP_URL?']],
  ['export smtp_url=x', ['smtp_url in .env is no setting and changes nothing. Did you mean SMTP_URL?']],
  ['NODE_EN=production', ['NODE_EN in .env is no setting and changes nothing. Did you mean NODE_ENV?']],
  [
    'FRUIT_BASKET=apple',
    ['FRUIT_BASKET in .env is no setting and changes nothing. npm start -- --help lists all settings.'],
  ],
])('a name that is no setting is named with the nearest one, and its value is not: %s', (text, warnings) => {
  expect(envFileWarnings(text, settings)).toEqual(warnings)
})

test.each([
  ['PORT=1\nvWHpc+dI57bRMU8rSedx16WGWVIgGjKZ5Do5wEvtyBw=', 2],
  ['vWHpcadI57bRMU8rSedx16WGWVIgGjKZ5Do5wEvtyBw=', 1],
  ['JBSWY3DPEHPK3PXP==', 1],
  ['# a comment\npostgres://user:password@host/db?sslmode=require', 2],
])('what may be a key and not a name is not repeated: %s', (text, line) => {
  expect(envFileWarnings(text, settings)).toEqual([
    `Line ${line} of .env sets what is no setting, and changes nothing. npm start -- --help lists all settings.`,
  ])
})

test('names that are settings, or that other programs read, are not warned about', () => {
  const names = [
    'PORT',
    'NODE_OPTIONS',
    'NODE_EXTRA_CA_CERTS',
    'PGHOST',
    'AWS_REGION',
    'TZ',
    'no_proxy',
    'TEST_DATABASE_URL',
  ]
  expect(envFileWarnings(names.map((name) => `${name}=1`).join('\n'), settings)).toEqual([])
})
