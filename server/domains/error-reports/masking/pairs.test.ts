import { describe, expect, test } from 'vitest'
import { maskRaw } from './mask-raw.ts'

describe('what stands beside a name is masked, and what stands beside another one stays', () => {
  test.each([
    [
      'flat list of headers',
      '["Host","h","X-Api-Key","s3cr3t","Cookie","sid=A","X-Shop","b1"]',
      '["Host","h","X-Api-Key","***","Cookie","***","X-Shop","b1"]',
    ],
    [
      'flat list of headers, in a text',
      String.raw`"{\"rawHeaders\":[\"X-Api-Key\",\"s3cr3t\",\"X-Shop\",\"b1\"]}"`,
      String.raw`"{\"rawHeaders\":[\"X-Api-Key\",\"***\",\"X-Shop\",\"b1\"]}"`,
    ],
    ['list of names', '["Authorization","Content-Type","X-Requested-With","X-Api-Key","X-Shop"]', undefined],
    [
      'PHP, serialized',
      'a:2:{s:8:"password";s:8:"s3"c"r3t";s:3:"hue";s:3:"r3d";}',
      'a:2:{s:8:"password";s:8:"***";s:3:"hue";s:3:"r3d";}',
    ],
    [
      'PHP, serialized, in a text',
      String.raw`"s:8:\"password\";s:6:\"s3cr3t\";s:3:\"hue\";s:3:\"r3d\";"`,
      String.raw`"s:8:\"password\";s:6:\"***\";s:3:\"hue\";s:3:\"r3d\";"`,
    ],
    [
      'Lua',
      `{ ["password"] = "s3 cr3t", ["hue"] = "r3d" } $a['token'] = 's3 cr3t';`,
      `{ ["password"] = "***", ["hue"] = "r3d" } $a['token'] = '***';`,
    ],
    [
      'part of a form, named without quotes',
      '--b\r\nContent-Disposition: form-data; name=password\r\n\r\ns3 cr3t\r\n--b\r\nContent-Disposition: form-data; name=hue\r\n\r\nr3d\r\n--b--',
      '--b\r\nContent-Disposition: form-data; name=password\r\n\r\n***\r\n--b\r\nContent-Disposition: form-data; name=hue\r\n\r\nr3d\r\n--b--',
    ],
    [
      'meta',
      '<meta name="csrf-token" content="s3 cr3t"><meta name="hue" content="r3d">',
      '<meta name="csrf-token" content="***"><meta name="hue" content="r3d">',
    ],
    [
      'meta, content first',
      '<meta content="s3 cr3t" name="csrf-token"><meta content="r3d" name="hue">',
      '<meta content="***" name="csrf-token"><meta content="r3d" name="hue">',
    ],
    [
      'block of YAML',
      'db:\n  password: |\n    s3\n\n    cr3t\n  hue: |\n    r3d\nsecret: >-\n  s3\n  cr3t\nx: 1',
      'db:\n  password: ***\n  hue: |\n    r3d\nsecret: ***\nx: 1',
    ],
    [
      'block of YAML, in a text',
      String.raw`"- token: |\n    s3cr3t\n  hue: |\n    r3d"`,
      String.raw`"- token: ***\n  hue: |\n    r3d"`,
    ],
    ['bar that is no block', 'password: | hue |\n  r3d', 'password: ***\n  r3d'],
    [
      'other blanks and signs',
      'password\u00A0=\u00A0s3cr3t, hue\u00A0=\u00A0r3d token&nbsp;=&nbsp;s3cr3t password：s3cr3t\nhue：r3d',
      'password\u00A0=\u00A0***, hue\u00A0=\u00A0r3d token&nbsp;=&nbsp;*** password：***\nhue：r3d',
    ],
    [
      'PGP',
      '-----BEGIN PGP PRIVATE KEY BLOCK-----\n\ns3cr3t\n-----END PGP PRIVATE KEY BLOCK----- -----BEGIN PGP MESSAGE-----\nr3d',
      '-----BEGIN PGP PRIVATE KEY BLOCK-----***-----END PGP PRIVATE KEY BLOCK----- -----BEGIN PGP MESSAGE-----\nr3d',
    ],
    [
      'login of SMTP',
      'AUTH PLAIN AHVzZXIAczNjcjN0\r\nAUTH LOGIN dXNlcjEyMw==\r\n334 UGFzc3dvcmQ6\r\nczNjcjN0\r\n250 b1 AUTH PLAIN LOGIN; AUTH LOGIN failed',
      'AUTH PLAIN ***\r\nAUTH LOGIN ***\r\n334 UGFzc3dvcmQ6\r\n***\r\n250 b1 AUTH PLAIN LOGIN; AUTH LOGIN failed',
    ],
  ])('%s', (_, text, masked = text) => {
    expect(maskRaw(text)).toBe(masked)
    expect(maskRaw(masked)).toBe(masked)
  })
})

describe('a name of several meanings makes a secret only of what looks like one', () => {
  const token = '8f3b01c2aa77d4e9'
  test.each([
    [`{"session":"${token}"}`, '{"session":"***"}'],
    ['session=550e8400-e29b-41d4-a716-446655440000&a=1', 'session=***&a=1'],
    [`connect.sid=s%3A${token}.${token}&a=1`, 'connect.sid=***&a=1'],
    [`PHPSESSID=${token}; JSESSIONID=${token}`, 'PHPSESSID=***; JSESSIONID=***'],
    ['{"pin":"1234"}', '{"pin":"***"}'],
    ['{"card_pin": 123456, "x": 1}', '{"card_pin": "***", "x": 1}'],
    [
      '[{"name":"pin","value":"1234"},{"value":"1234","name":"pin"}]',
      '[{"name":"pin","value":"***"},{"value":"***","name":"pin"}]',
    ],
    [`<session id="1">${token}</session>`, '<session id="1">***</session>'],
    ['<key>pin</key><string>1234</string>', '<key>pin</key><string>***</string>'],
    ['{"pw":"hunter"}', '{"pw":"***"}'],
    [
      `client_assertion=${token}&client_assertion_type=urn%3Aietf`,
      'client_assertion=***&client_assertion_type=urn%3Aietf',
    ],
    [`{"motDePasse":"x1","contraseña":"x1","пароль":"x1"}`, '{"motDePasse":"***","contraseña":"***","пароль":"***"}'],
    [`whsk_${token}${token} whsk_x`, '*** whsk_x'],
    ['{"session":"spring 2026","session":42,"sid":"north","session":null}', undefined],
    ['session: expired, session=2026-11-21T10:00:00Z, session={"id":1}', undefined],
    ['{"pin":"map-red","pin":13,"pin":true,"spin":"1234","pinned":"1234"}', undefined],
    ['<session>closed</session><pin>left</pin><pin/>', undefined],
    ['[{"name":"pin","value":"left"},{"value":"left","name":"session"}]', undefined],
    ['{"assess_id":"8f3b01c2aa77d4e9","processId":"8f3b01c2aa77d4e9"}', undefined],
  ])('%j', (text, masked = text) => {
    expect(maskRaw(text)).toBe(masked)
    expect(maskRaw(masked)).toBe(masked)
  })
})
