import { expect, test } from 'vitest'
import { readConfig } from '#platform/config.ts'
import { commerceSettings } from './build-b2b.ts'

test('orders are kept here unless a platform is named', () => {
  const address = { COMMERCE_URL: 'https://shop.example/orders', COMMERCE_SECRET: 'a secret of the shop' }
  expect(commerceSettings(readConfig(address))).toEqual({ connector: 'ledger' })
  expect(commerceSettings(readConfig({ ...address, COMMERCE_CONNECTOR: 'http' }))).toEqual({
    connector: 'http',
    url: 'https://shop.example/orders',
    secret: 'a secret of the shop',
  })
})
