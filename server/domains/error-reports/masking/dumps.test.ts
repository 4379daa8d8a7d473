import { expect, test } from 'vitest'
import { maskRaw } from './mask-raw.ts'

/** Each with something beside it that looks like it and is none, and stays. */
test.each([
  [
    'var_dump',
    'array(2) {\n  ["password"]=>\n  string(8) "s3"c\'r3t"\n  ["hue"]=>\n  string(3) "r3d"\n}',
    'array(2) {\n  ["password"]=>\n  string(8) "***"\n  ["hue"]=>\n  string(3) "r3d"\n}',
  ],
  [
    'var_dump, in a text',
    String.raw`"[\"password\"]=>\n  string(6) \"s3cr3t\"\n  [\"hue\"]=>\n  string(3) \"r3d\"\n"`,
    String.raw`"[\"password\"]=>\n  string(6) \"***\"\n  [\"hue\"]=>\n  string(3) \"r3d\"\n"`,
  ],
  [
    'var_dump of an object',
    '["password":protected]=>\n  string(6) "s3cr3t"\n  ["token":"App\\User":private]=>\n  int(123456)\n  ["secret"]=>\n  NULL\n  ["stock":protected]=>\n  int(123456)',
    '["password":protected]=>\n  string(6) "***"\n  ["token":"App\\User":private]=>\n  ***\n  ["secret"]=>\n  NULL\n  ["stock":protected]=>\n  int(123456)',
  ],
  [
    'var_dump, nested',
    '["credentials"]=>\n  array(1) {\n    ["u"]=>\n    string(6) "s3cr3t"\n  }\n  ["hues"]=>\n  array(1) {\n    ["u"]=>\n    string(3) "r3d"\n  }',
    '["credentials"]=>\n  array(1) ***\n  ["hues"]=>\n  array(1) {\n    ["u"]=>\n    string(3) "r3d"\n  }',
  ],
  [
    'var_dump of names of several meanings',
    '["pin"]=>\n  int(1234)\n  ["session"]=>\n  array(1) {\n    ["page"]=>\n    int(1234)\n  }\n  ["session"]=>\n  string(4) "open"',
    '["pin"]=>\n  ***\n  ["session"]=>\n  array(1) {\n    ["page"]=>\n    int(1234)\n  }\n  ["session"]=>\n  string(4) "open"',
  ],
  [
    'var_dump of Xdebug',
    "'password' => string 's3cr3t' (length=6)\n'hue' => string 'r3d' (length=3)",
    "'password' => string '***' (length=6)\n'hue' => string 'r3d' (length=3)",
  ],
  [
    'print_r of an object',
    '[password:protected] => s3cr3t\n[token:App\\User:private] => s3cr3t\n[hue:protected] => r3d',
    '[password:protected] => ***\n[token:App\\User:private] => ***\n[hue:protected] => r3d',
  ],
  [
    'capital letters of Turkish',
    'ŞİFRE=s3cr3t&RENK=r3d şi\u0307fre=s3cr3t S\u0327I\u0307FRE=s3cr3t PİN=1234 PİNE=1234',
    'ŞİFRE=***&RENK=r3d şi\u0307fre=*** S\u0327I\u0307FRE=*** PİN=*** PİNE=1234',
  ],
  [
    'CSV',
    '"Authorization","s3cr3t"\r\n"Accept","t3xt"\r\n"password","s3 cr3t"\n"Cookie","Accept"',
    '"Authorization","***"\r\n"Accept","t3xt"\r\n"password","***"\n"Cookie","Accept"',
  ],
  ['CSV, heads of columns', '"password","email"\n"token","Price"\n"password","address1","address2"\n', undefined],
  [
    'tab',
    'password\ts3cr3t\nuser_password\ts3cr3t\nhue\tr3d\nAuthorization\tDigest s3 cr3t\nclient_secret\ts3cr3t\tr3d',
    'password\t***\nuser_password\t***\nhue\tr3d\nAuthorization\t***\nclient_secret\t***\tr3d',
  ],
  [
    'tab, in a text',
    String.raw`"hue\tr3d\npassword\ts3cr3t\nhue\tr3d"`,
    String.raw`"hue\tr3d\npassword\t***\nhue\tr3d"`,
  ],
  [
    'tab behind names that say something else too',
    'password\temail\npassword_reset\t2026-11-21\ntokens\t1250\nPassword\twas changed 2 days ago\nlost password\t12 times\nkey\tbar1',
    undefined,
  ],
])('%s', (_, text, masked = text) => {
  expect(maskRaw(text)).toBe(masked)
  expect(maskRaw(masked)).toBe(masked)
})
