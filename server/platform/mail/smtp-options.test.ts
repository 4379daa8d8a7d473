import { describe, expect, test } from 'vitest'
import { isSmtpUrl, smtpOptions } from './smtp.ts'

describe('the settings of an SMTP server', () => {
  test.each([
    ['smtp://mail.example', { host: 'mail.example', port: 587, secure: false, requireTLS: false, ignoreTLS: false }],
    // A password leaves this machine encrypted only.
    ['smtp://u:p@mail.example:2525', { port: 2525, secure: false, requireTLS: true, auth: { user: 'u', pass: 'p' } }],
    ['smtps://u%40x:p%3A%2F@mail.example', { port: 465, secure: true, auth: { user: 'u@x', pass: 'p:/' } }],
    ['smtp://u:p@localhost:25', { port: 25, requireTLS: false, ignoreTLS: true }],
    ['smtp://127.0.0.1', { requireTLS: false, ignoreTLS: true }],
    ['smtp://[::1]', { host: '::1', ignoreTLS: true }],
    ['smtp://127.0.0.1.example.com', { ignoreTLS: false }],
    ['smtps://localhost', { secure: true, ignoreTLS: false }],
  ])('%s', (url, options) => {
    expect(isSmtpUrl(url)).toBe(true)
    expect(smtpOptions(url)).toMatchObject(options)
  })

  test('never say that a certificate need not be verified', () => {
    expect(smtpOptions('smtps://mail.example')).not.toHaveProperty('tls')
  })

  test.each([
    'smtp://',
    'smtp:mail.example',
    'http://mail.example',
    'smtp://mail.example/path',
    'smtp://m#x',
    'mail.example',
  ])('%s names none', (url) => {
    expect(isSmtpUrl(url)).toBe(false)
  })
})
