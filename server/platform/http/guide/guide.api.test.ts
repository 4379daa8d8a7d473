import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { makeTestApp } from '#testing/make-test-app.ts'
import { makeTestDirectory } from '#testing/open-test-store.ts'

const dist = await makeTestDirectory()
writeFileSync(join(dist, 'index.html'), '<!doctype html><title>Contents</title>')
writeFileSync(join(dist, 'delivery.html'), '<!doctype html><title>Delivery</title>')
writeFileSync(join(dist, 'delivery.html.br'), brotliCompressSync('<!doctype html><title>Delivery</title>'))
writeFileSync(join(dist, '.built-from'), 'secret')
mkdirSync(join(dist, 'folder'))
const { app } = await makeTestApp({ guideDirectory: dist })
const get = (url: string, headers: Record<string, string> = { accept: 'text/html' }) =>
  app.inject({ method: 'GET', url, headers })

test('the guide is at /guide/, where links relative to it work', async () => {
  const moved = await get('/guide')
  expect([moved.statusCode, moved.headers.location]).toEqual([302, 'guide/'])
  const answer = await get('/guide/')
  expect([answer.statusCode, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([
    200,
    'text/html; charset=utf-8',
    'no-cache',
  ])
  expect(answer.body).toContain('<title>Contents</title>')
})

test('its pages may run their own scripts and nothing else, and come as they were compressed', async () => {
  const answer = await get('/guide/delivery.html', { 'accept-encoding': 'br' })
  expect([answer.statusCode, answer.headers['content-encoding']]).toEqual([200, 'br'])
  const policy = String(answer.headers['content-security-policy'])
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; .*frame-ancestors 'none'$/)
  expect(policy).not.toContain('unsafe')
})

describe('what is no file of it is 404', () => {
  test.each(['nothing.html', '.built-from', '..%2fpackage.json', 'folder'])('%s', async (name) => {
    const answer = await get(`/guide/${name}`)
    expect([answer.statusCode, answer.json()]).toEqual([404, { detail: 'Not found.' }])
  })
})
