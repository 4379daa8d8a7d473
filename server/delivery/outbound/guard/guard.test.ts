import { isIP } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeGuard } from './guard.ts'
import { specialUse } from './special-use.ts'

const production = makeGuard({ allowedNetworks: [], allowLoopback: false })
const development = makeGuard({ allowedNetworks: [], allowLoopback: true })

describe('a URL that may never be called', () => {
  test.each([
    // Loopback, however it is written.
    'http://127.0.0.1/',
    'http://127.0.0.1:8080/',
    'http://127.255.255.254/',
    'http://127.1/',
    'http://127.0.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://127.0.0.1./',
    'http://0/',
    'http://0.0.0.0/',
    'http://①②⑦.⓪.⓪.①/',
    'http://127。0。0。1/',
    'http://%31%32%37.0.0.1/',
    'http://localhost/',
    'http://localhost./',
    'http://LOCALHOST/',
    'http://a.localhost/',
    'http://user:password@127.0.0.1/',
    'http://example.com@127.0.0.1/',
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[0000:0000:0000:0000:0000:0000:0000:0001]/',
    'http://[::]/',
    'http://[::0.0.0.1]/',
    'http://127.00.00.01/',
    'http://127.0.0x1/',
    'http://0x7F.1/',
    'http://0177.1/',
    'http://0x7f000001./',
    'http://127\u00AD.0.0.1/',
    // A parser that is read differently than the one that connects.
    'HTTP://127.0.0.1/',
    'http:127.0.0.1/',
    'http:////127.0.0.1/',
    'http:\\\\127.0.0.1\\',
    'http://127.0.0.1\\@example.com/',
    'http://127.0.0.1#@example.com/',
    'http://127.0.0.1?@example.com/',
    'http://127.0.0.1/@example.com/',
    'http://example.com:80@127.0.0.1/',
    'http://example.com%2f@127.0.0.1/',
    'ht\ntp://127.0.0.1/',
    'http://127.0.\t0.1/',
    // Private, link-local, cloud metadata.
    'http://10.0.0.1/',
    'http://10.255.255.255/',
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://192.168.1.1/',
    'http://0xc0a80101/',
    'http://3232235777/',
    'http://169.254.169.254/latest/meta-data/',
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://0251.0376.0251.0376/',
    'http://100.64.0.1/',
    'http://100.100.100.200/',
    'http://[fd00::1]/',
    'http://[fd00:ec2::254]/',
    'http://[fe80::1]/',
    'http://[fec0::1]/',
    // IPv4 inside IPv6.
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[0:0:0:0:0:ffff:127.0.0.1]/',
    'http://[::ffff:8.8.8.8]/',
    'http://[::FFFF:127.0.0.1]/',
    'http://[0000:0000:0000:0000:0000:FFFF:7F00:0001]/',
    'http://[::ffff:169.254.169.254]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[::127.0.0.1]/',
    'http://[::ffff:0:127.0.0.1]/',
    'http://[::FFFF:0:7F00:1]/',
    'http://[64:FF9B::7F00:1]/',
    'http://[64:ff9b::127.0.0.1]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://[64:ff9b:1::1]/',
    'http://[2002:7f00:1::]/',
    'http://[2002:a9fe:a9fe::1]/',
    'http://[2001::7f00:1]/',
    // Reserved for other things.
    'http://192.0.0.1/',
    'http://192.0.2.1/',
    'http://198.18.0.1/',
    'http://198.51.100.1/',
    'http://203.0.113.1/',
    'http://224.0.0.1/',
    'http://239.255.255.250/',
    'http://240.0.0.1/',
    'http://255.255.255.255/',
    'http://4294967295/',
    'http://0xffffffff/',
    'http://037777777777/',
    'http://192.88.99.1/',
    'http://[100::1]/',
    'http://[2001:db8::1]/',
    'http://[3fff::1]/',
    'http://[5f00::1]/',
    'http://[ff02::1]/',
    // Ports of other services.
    'http://8.8.8.8:0/',
    'http://8.8.8.8:1/',
    'http://example.com:22/',
    'http://example.com:25/',
    'https://example.com:445/',
    'http://example.com:1023/',
    'http://example.com:0022/',
    'http://example.com:65536/',
    'http://example.com:-1/',
    'http://example.com:0x50/',
    // No HTTP.
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'data:text/plain,x',
    'javascript:alert(1)',
    'ws://example.com/',
    'unix:/var/run/docker.sock',
    '//example.com/',
    'example.com',
    '',
    'http://',
    'http://[::1/',
    'http://256.256.256.256/',
    'http://1.2.3.4.5/',
    'http://[fe80::1%25eth0]/',
  ])('%s', (url) => {
    expect(production.urlProblem(url)).toMatch(/.\.$/)
  })
})

describe('a URL that may be called', () => {
  test.each([
    'http://example.com/',
    'https://example.com/hooks?a=1',
    'https://EXAMPLE.com./',
    'HTTPS://EXAMPLE.COM',
    'http://user:password@example.com/',
    'http://127.0.0.1@example.com/',
    'http://127.0.0.1.example.com/',
    'http://example.com/?to=http://127.0.0.1/',
    'http://example.com/#@127.0.0.1/',
    'http://example.com:00443/',
    'http://example.com:80/',
    'https://example.com:443/',
    'http://example.com:443/',
    'http://example.com:1024/',
    'http://example.com:65535/',
    'https://münchen.example/',
    'https://localhost.example.com/',
    'https://notlocalhost/',
    'http://8.8.8.8/',
    'http://1.1.1.1:8080/',
    'http://134744072/',
    'http://0x08080808/',
    'http://9.255.255.255/',
    'http://11.0.0.0/',
    'http://100.63.255.255/',
    'http://100.128.0.0/',
    'http://126.255.255.255/',
    'http://128.0.0.0/',
    'http://169.253.255.255/',
    'http://172.15.255.255/',
    'http://172.32.0.0/',
    'http://192.167.255.255/',
    'http://192.169.0.0/',
    'http://198.17.255.255/',
    'http://198.20.0.0/',
    'http://223.255.255.255/',
    'http://[2606:4700:4700::1111]/',
    'http://[2606:4700:4700:0000:0000:0000:0000:1111]/',
    'http://[2A00:1450:4001:80B::200E]/',
    'http://[2001:200::1]/',
    'http://[2620:4f:7fff::1]/',
    'http://[3fff:1000::1]/',
    'http://[100:0:0:2::1]/',
    'http://[2a00:1450:4001:80b::200e]:8443/',
    'http://[2001:4860:4860::8888]/',
    'http://[2003::1]/',
  ])('%s', (url) => {
    expect(production.urlProblem(url)).toBeUndefined()
  })
})

describe('outside production', () => {
  test.each([
    'http://127.0.0.1:3000/',
    'http://localhost:3000/',
    'http://127.9.9.9/',
    'http://[::1]:3000/',
    'http://[::ffff:127.0.0.1]:3000/',
  ])('this machine may be called: %s', (url) => {
    expect(development.urlProblem(url)).toBeUndefined()
  })

  test.each([
    'http://10.0.0.1/',
    'http://169.254.169.254/',
    'http://0.0.0.0/',
    'http://[::]/',
    'http://[fe80::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://127.0.0.1:22/',
  ])('nothing else is open: %s', (url) => {
    expect(development.urlProblem(url)).toBeDefined()
  })
})

describe('ALLOWED_NETWORKS', () => {
  const opened = makeGuard({ allowedNetworks: ['10.1.0.0/16', '192.168.7.7', 'fd12:3456::/32'], allowLoopback: false })

  test.each([
    '10.1.0.0',
    '10.1.255.255',
    '192.168.7.7',
    'fd12:3456::1',
    'fd12:3456:ffff::',
    '::ffff:10.1.2.3',
    '8.8.8.8',
  ])('open %s', (address) => {
    expect(opened.addressProblem(address)).toBeUndefined()
  })

  test.each([
    '10.0.255.255',
    '10.2.0.0',
    '192.168.7.6',
    '192.168.7.8',
    'fd12:3457::',
    '127.0.0.1',
    '::1',
    '::ffff:10.2.0.0',
    '64:ff9b::10.1.2.3',
  ])('open nothing beside them: %s', (address) => {
    expect(opened.addressProblem(address)).toMatch(/not a public address/)
  })

  test.each<[string, readonly string[], readonly string[]]>([
    ['10.0.0.0/8', ['10.0.0.1', '::ffff:10.0.0.1', '::FFFF:A00:1'], ['127.0.0.1', '::10.0.0.1', '2002:a00:1::']],
    ['0.0.0.0/0', ['127.0.0.1', '::ffff:127.0.0.1', '255.255.255.255'], ['::1', 'fd00::1', '64:ff9b::127.0.0.1']],
    ['::/0', ['::1', 'fd00::1', 'fe80::1'], ['127.0.0.1', '10.0.0.1', '::ffff:127.0.0.1', '::ffff:7f00:1']],
    ['fc00::/7', ['fd00::1'], ['::1', '10.0.0.1', '::ffff:10.0.0.1']],
    ['::ffff:10.0.0.0/104', ['10.0.0.1', '::ffff:10.9.9.9'], ['127.0.0.1', '::ffff:127.0.0.1']],
    ['::ffff:10.0.0.1', ['10.0.0.1', '::ffff:10.0.0.1'], ['10.0.0.2', '::ffff:10.0.0.2']],
    ['127.0.0.1/32', ['127.0.0.1', '::ffff:127.0.0.1'], ['127.0.0.2', '::1']],
    ['::1', ['::1', '0:0:0:0:0:0:0:1'], ['127.0.0.1', '::']],
    ['64:ff9b::/96', ['64:ff9b::8.8.8.8'], ['64:ff9b:1::1', '10.0.0.1']],
  ])('%s opens what it names, in every form, and no other family', (network, open, closed) => {
    const by = makeGuard({ allowedNetworks: [network], allowLoopback: false })
    expect(open.filter((address) => by.addressProblem(address) !== undefined)).toEqual([])
    expect(closed.filter((address) => by.addressProblem(address) === undefined)).toEqual([])
  })

  test('open the names of this machine only with its addresses', () => {
    const local = makeGuard({ allowedNetworks: ['127.0.0.0/8'], allowLoopback: false })
    expect(local.urlProblem('http://localhost:3000/')).toBeUndefined()
    expect(local.urlProblem('http://a.localhost./')).toBeUndefined()
    expect(opened.urlProblem('http://localhost:3000/')).toBe('localhost is this machine.')
  })

  test('do not open ports', () => {
    expect(opened.urlProblem('http://10.1.0.1:5432/')).toBeUndefined()
    expect(opened.urlProblem('http://10.1.0.1:22/')).toMatch(/^Port 22 is not allowed/)
  })
})

describe('every address', () => {
  test.each(['', 'localhost', '1.2.3', '1.2.3.4.5', 'fe80::1%eth0', '::1%lo', '8.8.8.8 ', '08.8.8.8', 'x'])(
    'that is none is refused: %j',
    (text) => {
      expect(production.addressProblem(text)).toMatch(/is not an address/)
    },
  )

  test.each(specialUse.map(([network]) => network))('of %s is refused, first and last', (network) => {
    const [first = '', bits = ''] = network.split('/')
    expect(production.addressProblem(first)).toMatch(/not a public address/)
    expect(production.addressProblem(lastOf(first, Number(bits)))).toMatch(/not a public address/)
  })

  test('that is refused as IPv4 is refused inside every IPv6 form that can carry it', () => {
    const octet = fc.integer({ min: 0, max: 255 })
    fc.assert(
      fc.property(octet, octet, octet, octet, (a, b, c, d) => {
        const hex = [a, b, c, d].map((byte) => byte.toString(16).padStart(2, '0'))
        const [high, low] = [`${hex[0]}${hex[1]}`, `${hex[2]}${hex[3]}`]
        const forms = ['::ffff:', '::', '64:ff9b::', '::ffff:0:'].map((prefix) => `${prefix}${a}.${b}.${c}.${d}`)
        for (const form of [...forms, `2002:${high}:${low}::1`, `64:ff9b:1::${high}:${low}`]) {
          expect(isIP(form)).toBe(6)
          expect(production.addressProblem(form)).toMatch(/not a public address/)
        }
      }),
    )
  })
})

/** The last address of a network. */
const lastOf = (first: string, bits: number): string => {
  if (isIP(first) === 4) {
    const number = first.split('.').reduce((sum, part) => sum * 256 + Number(part), 0) + 2 ** (32 - bits) - 1
    return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.')
  }
  const groups = new URL(`http://[${first}]`).hostname.slice(1, -1).split('::')
  const [head = [], tail = []] = groups.map((part) => part.split(':').filter((group) => group !== ''))
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0')
  const value = [...head, ...zeros, ...tail].reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n)
  const end = value + (1n << BigInt(128 - bits)) - 1n
  return Array.from({ length: 8 }, (_, index) => ((end >> BigInt((7 - index) * 16)) & 0xffffn).toString(16)).join(':')
}
