import { describe, expect, test } from 'vitest'
import type { HealthNotice } from '#delivery/health/record-health.ts'
import type { HealthState } from '#delivery/health/health.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Mail } from '#platform/mail/mailer.ts'
import { healthMail, makeHealthAlert } from './health-alert.ts'

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
const link = 'https://waybill.example/whisperer/hooks/12/health/'
const hook = { title: 'Webhook 12', link }

describe('the message about a webhook', () => {
  test.each<[HealthNotice, RegExp, RegExp]>([
    [notice('failing'), /12 is failing/, /failed 5 times in a row since 2026-11-21T09:30:00\.000Z/],
    [notice('disabled', { disabledReason: 'gone' }), /switched off/, /answered 410 Gone/],
    [notice('disabled', { disabledReason: 'failing', probeAt: since }), /switched off/, /comes back by itself/],
    [notice('recovered', { failingSince: null }), /works again/, /failing since 2026-11-21T09:30/],
  ])('says what happened and what follows', (about, subject, text) => {
    const mail = healthMail(about, 'https://shop.example', hook)
    expect(mail.subject).toMatch(subject)
    expect(mail.text).toMatch(text)
    expect(mail.text).toContain(link)
  })

  test('quotes nothing as markup', () => {
    const mail = healthMail(notice('failing'), 'https://a"><b>', { ...hook, title: '<i>' })
    expect(mail.html).toContain('https://a&quot;&gt;&lt;b&gt;')
    expect(mail.html).not.toContain('<b>')
    expect(mail.html).toContain('&lt;i&gt;')
  })
})

describe('the alert', () => {
  const alertWith = async (recipients: string[], owner: string | undefined, isConfigured = true): Promise<Mail[]> => {
    const sent: Mail[] = []
    const alert = makeHealthAlert({
      mailer: { isConfigured, send: async (_tx, mail) => void sent.push(mail) },
      recipients,
      subjectOf: async () => ({ ...hook, owner }),
      originOf: async () => 'https://shop.example',
    })
    await alert({} as Tx, notice('failing'))
    return sent
  }

  test('goes to the owner and to those who look after everything, once each', async () => {
    expect(await alertWith(['ops@waybill.test'], 'ayse@waybill.test')).toMatchObject([
      { to: ['ops@waybill.test', 'ayse@waybill.test'] },
    ])
    expect(await alertWith(['ayse@waybill.test'], 'ayse@waybill.test')).toMatchObject([{ to: ['ayse@waybill.test'] }])
  })

  test('goes nowhere when there is nobody to tell, or no way', async () => {
    expect(await alertWith([], undefined)).toEqual([])
    expect(await alertWith(['ops@waybill.test'], 'ayse@waybill.test', false)).toEqual([])
  })
})
