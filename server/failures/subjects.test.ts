import { describe, expect, test } from 'vitest'
import type { Tx } from '#platform/db/database.ts'
import { makeSubjects, type ReceiverKind } from './subjects.ts'

const tx = {} as Tx
const ci = { en: 'Webhook “CI”', tr: '“CI” adlı webhook' }
const erp = { en: 'Flow “ERP”', tr: 'Akış “ERP”' }
const ayse = { email: 'ayse@example.com', locale: 'tr', timeZone: '' } as const
/** Subscription 1 is a project's webhook, 2 a flow, 3 a hook. User 7 has left the back office but can log in; 9 cannot. */
const { alertSubject } = makeSubjects({
  kindOf: (scope) => scope as ReceiverKind,
  failedDelivery: async () => undefined,
  failedRun: async () => undefined,
  alertedWebhook: async (_tx, id) =>
    id === 1 ? { title: ci, path: '/api/v1/webhooks/1', audience: [9, 7] } : undefined,
  alertedFlow: async (_tx, id) => (id === 2 ? { title: erp, path: '/api/nifi/flows/2', audience: [7] } : undefined),
  ownerOf: async () => 7,
  addresseeOf: async (_tx, userId) => (userId === 7 ? ayse : undefined),
  staffAddresseeOf: async () => undefined,
  pages: { hook: (id) => `https://waybill.test/hooks/${id}`, ofApi: (path) => `page of ${path}` },
  servicePath: 'whisperer',
})

describe('what a subscription is to people', () => {
  test('is the webhook of a project, told to the first who can be written to', async () => {
    expect(await alertSubject(tx, { subscriptionId: 1, scope: 'project' })).toEqual({
      title: ci,
      owner: ayse,
      link: 'page of /api/v1/webhooks/1',
    })
  })

  test('is a flow, of which nobody is told who has left the back office', async () => {
    expect(await alertSubject(tx, { subscriptionId: 2, scope: 'flow' })).toEqual({
      title: erp,
      owner: undefined,
      link: 'page of /api/nifi/flows/2',
    })
  })

  test('is a hook where it is neither', async () => {
    expect(await alertSubject(tx, { subscriptionId: 3, scope: 'hook' })).toEqual({
      title: { en: 'Webhook 3', tr: 'Webhook 3' },
      owner: ayse,
      link: 'https://waybill.test/hooks/3',
    })
  })
})
