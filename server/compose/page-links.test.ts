import { expect, test } from 'vitest'
import { makePageLinks } from './page-links.ts'

const base = () => 'https://waybill.example'

test('without settings messages lead to this server', () => {
  const pages = makePageLinks({}, base)
  expect(pages.quotation('storefront', 7)).toBe('https://waybill.example/shop/quotations/7')
  expect(pages.quotation('admin', 7)).toBe('https://waybill.example/quotations/7')
  expect(pages.hook(3)).toBe('https://waybill.example/hooks/3')
  expect(pages.ofApi('/api/nifi/flows/2')).toBe('https://waybill.example/flows/2')
  expect(pages.ofApi('/api/v1/organizations/a/projects/b')).toBe('https://waybill.example/organizations/a/projects/b')
  expect(pages.password('wbp_x', { isBuyer: false })).toBe('https://waybill.example/password/reset#token=wbp_x')
  expect(pages.password('wbp_x', { isBuyer: true })).toBe('https://waybill.example/shop/password/reset#token=wbp_x')
})

test('the console can be elsewhere, and the storefront elsewhere again', () => {
  const console = { CONSOLE_URL: 'https://console.example/waybill/' }
  expect(makePageLinks(console, base).quotation('admin', 7)).toBe('https://console.example/waybill/quotations/7')
  expect(makePageLinks(console, base).quotation('storefront', 7)).toBe(
    'https://console.example/waybill/shop/quotations/7',
  )
  const both = makePageLinks({ ...console, STOREFRONT_URL: 'https://shop.example' }, base)
  expect(both.quotation('storefront', 7)).toBe('https://shop.example/quotations/7')
  expect(both.hook(3)).toBe('https://console.example/waybill/hooks/3')
})
