import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { makeTestApp } from '#testing/make-test-app.ts'
import { makeTestDirectory } from '#testing/open-test-store.ts'

const dist = await makeTestDirectory()
const script = 'console.log("a script of the console")\n'
mkdirSync(join(dist, 'assets'))
const page = (title: string): string =>
  `<!doctype html><meta property="csp-nonce" nonce="__CSP_NONCE__"><style nonce="__CSP_NONCE__"></style><title>${title}</title>`
writeFileSync(join(dist, 'index.html'), page('Console'))
writeFileSync(join(dist, 'shop.html'), page('Shop'))
writeFileSync(join(dist, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
writeFileSync(join(dist, '.built-from'), 'secret')
writeFileSync(join(dist, 'assets/main-Ab12.js'), script)
writeFileSync(join(dist, 'assets/main-Ab12.js.gz'), gzipSync(script))
writeFileSync(join(dist, 'assets/main-Ab12.js.br'), brotliCompressSync(script))
writeFileSync(join(dist, 'assets/plain-Cd34.css'), 'p {}')

const built = await makeTestApp({ consoleDirectory: dist })
const bare = await makeTestApp({ consoleDirectory: join(dist, 'nowhere'), environment: { WEBHOOK_SERVICE_PATH: 'hs' } })

const ofBrowsers = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const get = (url: string, headers: Record<string, string> = { accept: ofBrowsers }, app = built.app) =>
  app.inject({ method: 'GET', url, headers })

describe('the page', () => {
  const deep = [
    '/',
    '/hooks/7',
    '/error_reports/1?tab=tries',
    '/quotations/5/',
    '/password/reset',
    '/shop',
    '/shop/a/b',
    '/%73hop',
    '/shops',
  ]
  test.each([...deep, '/nothing-of-that-name', '/apiary', '/docsx', '//api'])('is at %s', async (url) => {
    const answer = await get(url)
    expect([answer.statusCode, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-cache',
    ])
    expect(answer.body).toContain('csp-nonce')
  })

  test('has a nonce of its own in each answer, which its policy names, and nothing else may run', async () => {
    const nonces = new Set<string>()
    for (const url of ['/', '/', '/hooks', '/shop']) {
      const answer = await get(url)
      const policy = String(answer.headers['content-security-policy'])
      const nonce = /style-src 'self' 'nonce-([\w+/=]{24})';/.exec(policy)?.[1] ?? ''
      expect(answer.body.split(`nonce="${nonce}"`)).toHaveLength(3)
      expect(answer.body).not.toContain('__CSP_NONCE__')
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'; .*frame-ancestors 'none'$/)
      expect(policy).not.toContain('unsafe')
      nonces.add(nonce)
    }
    expect(nonces.size).toBe(4)
  })

  test.each(['/shop', '/shop/', '/shop?q=oak', '/shop/quotations/5', '/%73hop/basket'])(
    'at %s is that of the shop',
    async (url) => {
      expect((await get(url)).body).toContain('<title>Shop</title>')
    },
  )

  test.each(['/', '/shops', '/shop.html', '/hooks/shop'])('at %s is that of the console', async (url) => {
    expect((await get(url)).body).toContain('<title>Console</title>')
  })

  test('is answered to HEAD without its body', async () => {
    for (const url of ['/', '/hooks/7', '/shop/basket']) {
      const answer = await built.app.inject({ method: 'HEAD', url, headers: { accept: ofBrowsers } })
      expect([answer.statusCode, answer.body, answer.headers['content-type']]).toEqual([
        200,
        '',
        'text/html; charset=utf-8',
      ])
    }
  })
})

describe('what is no page stays the answer that it was', () => {
  const paths = [
    '/api',
    '/api/',
    '/api/v1/nothing',
    '/%61pi/v1/nothing',
    '/whisperer/nothing',
    '/b2b/nothing',
    '/b2b/basket/x/y',
  ]
  test.each([...paths, '/docs/nothing', '/guide', '/metrics/x', '/healthz/x', '/readyz/x', '/openapi.json/x'])(
    '%s is 404 in JSON to a browser',
    async (url) => {
      const answer = await get(url)
      expect([answer.statusCode, answer.json()]).toEqual([404, { detail: 'Not found.' }])
    },
  )

  test('in the shape of its surface', async () => {
    expect((await get('/api/v1/organizations/x/y/z')).json()).toEqual({ apiError: ['Not found.'] })
  })

  test.each(['application/json', '*/*', 'image/*', 'application/xhtml+xml', 'text/htmlx'])(
    'for %s there is none',
    async (accept) => {
      expect((await get('/hooks/7', { accept })).json()).toEqual({ detail: 'Not found.' })
    },
  )

  test('nor for other methods', async () => {
    const answer = await built.app.inject({ method: 'POST', url: '/hooks/7', headers: { accept: ofBrowsers } })
    expect([answer.statusCode, answer.json()]).toEqual([404, { detail: 'Not found.' }])
  })
})

describe('files with names of their content', () => {
  test('are kept for ever, and come as they were compressed', async () => {
    const url = '/assets/main-Ab12.js'
    const plain = await get(url, {})
    expect([plain.statusCode, plain.body, plain.headers['content-encoding']]).toEqual([200, script, undefined])
    expect(plain.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': expect.stringContaining('/javascript'),
      'x-content-type-options': 'nosniff',
      vary: expect.stringMatching(/accept-encoding/i),
    })
    const zipped = await get(url, { 'accept-encoding': 'gzip' })
    expect(zipped.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(script)
    const brotli = await get(url, { 'accept-encoding': 'gzip, deflate, br, zstd' })
    expect([brotli.headers['content-encoding'], brotli.headers['content-type']]).toEqual([
      'br',
      expect.stringContaining('/javascript'),
    ])
    expect((await get('/assets/plain-Cd34.css', { 'accept-encoding': 'br' })).body).toBe('p {}')
  })

  const absent = ['nothing-9.js', '', '..%2findex.html', '%2e%2e%2f%2e%2e%2fetc/passwd', '.hidden']
  test.each(absent)('/assets/%s is 404 also to a browser', async (name) => {
    const answer = await get(`/assets/${name}`)
    expect([answer.statusCode, answer.json()]).toEqual([404, { detail: 'Not found.' }])
  })

  test('what stands beside the page is served, to be asked for again; what begins with a dot is not', async () => {
    const icon = await get('/icon.svg', { accept: 'image/*' })
    expect([icon.statusCode, icon.headers['content-type'], icon.headers['cache-control']]).toEqual([
      200,
      'image/svg+xml',
      'no-cache',
    ])
    expect((await get('/.built-from', {})).statusCode).toBe(404)
  })
})

describe('where it is not built', () => {
  test.each(['/', '/hooks/7', '/whisperer/nothing'])('%s says how to build it', async (url) => {
    const answer = await get(url, { accept: ofBrowsers }, bare.app)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(answer.body).toContain('npm run build')
  })

  test.each(['/assets/main-Ab12.js', '/hs/nothing', '/api/v1/nothing'])('%s is 404', async (url) => {
    expect((await get(url, { accept: ofBrowsers }, bare.app)).json()).toEqual({ detail: 'Not found.' })
  })
})
