import { describe, expect, test } from 'vitest'
import type { HealthNotice } from '#delivery/health/record-health.ts'
import type { HealthState } from '#delivery/health/health.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Mail } from '#platform/mail/mailer.ts'
import { mailLocales, type Addressee } from '#platform/mail/reader.ts'
import { bothWords } from '#testing/mail-words.ts'
import { healthLetter, makeHealthAlert } from './health-alert.ts'

const since = new Date('2026-11-21T09:30:00.000Z')
const state: HealthState = {
  isActive: true,
  disabledReason: null,
  health: 'failing',
  failures: 5,
  failingSince: since,
  lastSuccessAt: null,
  lastFailureAt: since,
  disabledAt: null,
  probeAt: null,
  pausedUntil: null,
  holdUntil: null,
}
const notice = (change: HealthNotice['change'], fields: Partial<HealthState> = {}): HealthNotice => ({
  subscriptionId: 12,
  scope: 'back-office',
  change,
  before: state,
  state: { ...state, ...fields },
})
const link = 'https://waybill.example/hooks/12'
const hook = { title: { en: 'Webhook 12', tr: 'Webhook 12' }, link }
const about = { ...hook, origin: 'https://shop.example' }
const reader = { locale: 'en', timeZone: 'UTC' } as const

const notices: readonly (readonly [string, HealthNotice, subject: RegExp, text: RegExp])[] = [
  ['fails', notice('failing'), /^Webhook 12 is failing \(https:\/\/shop\.example\)$/, /failed 5 times in a row/],
  ['is gone', notice('disabled', { disabledReason: 'gone' }), /switched off/, /answered 410 Gone/],
  ['is off', notice('disabled', { disabledReason: 'failing', probeAt: since }), /switched off/, /comes back by itself/],
  ['works', notice('recovered', { failingSince: null }), /works again/, /takes deliveries again/],
]

describe('the message about a webhook that', () => {
  test.each(notices)('%s says what happened and what follows', (_, change, subject, text) => {
    const mail = healthLetter(reader, change, about)
    expect(mail.subject).toMatch(subject)
    expect(mail.text).toMatch(text)
    expect(mail.text).toContain('Failing since: Saturday, 21 November 2026 at 09:30 (UTC)')
  })

  test.each(notices.flatMap(([name, change]) => mailLocales.map((locale) => [name, locale, change] as const)))(
    '%s is whole in %s',
    (_name, locale, change) => {
      const mail = healthLetter({ locale, timeZone: 'Europe/Istanbul' }, change, about)
      expect(mail.subject).toMatch(/^Webhook 12.* \(https:\/\/shop\.example\)$/)
      expect(mail.text).toContain(`\n${link}\n`)
      expect(mail.text).toContain(locale === 'en' ? 'November 2026 at 12:30' : '21 Kasım 2026 Cumartesi 12:30')
      const [html, text] = bothWords(mail)
      expect(html).toBe(text)
      expect(Object.values(mail).join('')).not.toMatch(/undefined|null|NaN|\[object/)
    },
  )

  test('has an odd name quotes nothing as markup', () => {
    const odd = { title: { en: '<i>', tr: '<i>' }, link, origin: 'https://a"><b>' }
    const mail = healthLetter(reader, notice('failing'), odd)
    expect(mail.html).toContain('https://a&quot;&gt;&lt;b&gt;')
    expect(mail.html).not.toContain('<b>')
    expect(mail.html).toContain('&lt;i&gt;')
  })
})

describe('the alert', () => {
  const ayse: Addressee = { email: 'ayse@waybill.test', locale: 'tr', timeZone: 'Europe/Istanbul' }
  const alertWith = async (recipients: string[], owner: Addressee | undefined): Promise<Mail[]> => {
    const sent: Mail[] = []
    const alert = makeHealthAlert({
      mailer: { send: async (_tx, mails) => void sent.push(...mails) },
      recipients,
      subjectOf: async () => ({ ...hook, owner }),
      originOf: async () => 'https://shop.example',
    })
    await alert({} as Tx, notice('failing'))
    return sent
  }

  test('goes to the owner in their language and to those who look after everything, once each', async () => {
    const whom = (sent: readonly Mail[]) => sent.map(({ to, locale, purpose }) => [to, locale, purpose])
    expect(whom(await alertWith(['ops@waybill.test', 'ops@waybill.test'], ayse))).toEqual([
      ['ayse@waybill.test', 'tr', 'endpoint_health'],
      ['ops@waybill.test', 'en', 'endpoint_health'],
    ])
    expect(whom(await alertWith(['ayse@waybill.test'], ayse))).toEqual([['ayse@waybill.test', 'tr', 'endpoint_health']])
  })

  test('goes nowhere when there is nobody to tell', async () => {
    expect(await alertWith([], undefined)).toEqual([])
  })
})
