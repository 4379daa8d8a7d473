import { expect, test } from 'vitest'
import { attachment } from './attachment.ts'

test.each([
  ['quotations.csv', 'attachment; filename="quotations.csv"'],
  ['quotation 7 (2026).xls', 'attachment; filename="quotation 7 (2026).xls"'],
  ['ölçü.xlsx', `attachment; filename="_l__.xlsx"; filename*=UTF-8''%C3%B6l%C3%A7%C3%BC.xlsx`],
  ['📦.csv', `attachment; filename="_.csv"; filename*=UTF-8''%F0%9F%93%A6.csv`],
  ['a"b\\c.csv', `attachment; filename="a_b_c.csv"; filename*=UTF-8''a%22b%5Cc.csv`],
  ["it's (é)*.csv", `attachment; filename="it's (_)*.csv"; filename*=UTF-8''it%27s%20%28%C3%A9%29%2A.csv`],
  ['a\r\nSet-Cookie: x', `attachment; filename="a__Set-Cookie: x"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20x`],
  ['half \ud800.csv', `attachment; filename="half _.csv"; filename*=UTF-8''half%20%EF%BF%BD.csv`],
])('a file named %j', (name, header) => expect(attachment(name)).toBe(header))
