import { describe, expect, test } from 'vitest'
import { mailLocales } from '#platform/mail/reader.ts'
import { bothWords } from '#testing/mail-words.ts'
import { linkLetter } from './link-letter.ts'

const link = 'https://waybill.example/password/reset#token=wbp_hush'
const about = { link, expiresAt: new Date('2026-12-21T09:30:00Z') }
const letters = mailLocales.flatMap((locale) => (['reset', 'invite'] as const).map((purpose) => ({ locale, purpose })))

describe.each(letters)('the letter of a link, $purpose in $locale', ({ locale, purpose }) => {
  const letter = linkLetter({ locale, timeZone: 'Europe/Istanbul' }, purpose, about)

  test('has the link and its end, and says once where the account is', () => {
    expect(letter.text).toContain(`\n${link}\n`)
    expect(letter.text.split('wbp_hush')).toHaveLength(2)
    expect(letter.text).toContain(locale === 'en' ? ' at waybill.example. ' : 'waybill.example adresinde')
    expect(letter.text).toContain(
      locale === 'en' ? ': Monday, 21 December 2026 at 12:30' : ': 21 Aralık 2026 Pazartesi 12:30',
    )
    expect(letter.html).toContain(`href="${link}"`)
    expect(letter.subject).not.toContain('wbp_')
    expect(Object.values(letter).join('')).not.toMatch(/undefined|NaN|\[object/)
  })

  test('says the same as text and as HTML', () => {
    const [html, text] = bothWords(letter)
    expect(html).toBe(text)
  })
})
