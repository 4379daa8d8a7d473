import { describe, expect, test } from 'vitest'
import type { Tx } from '#platform/db/database.ts'
import { makeSubjects, type ReceiverKind } from './subjects.ts'

const tx = {} as Tx
/** Subscription 1 is a project's webhook, 2 a flow, 3 a hook. User 7 has left the back office but can log in; 9 cannot. */
const { alertSubject } = makeSubjects({
  kindOf: (scope) => scope as ReceiverKind,
  failedDelivery: async () => undefined,
  failedRun: async () => undefined,
  alertedWebhook: async (_tx, id) =>
    id === 1 ? { title: 'Webhook “CI”', path: '/api/v1/webhooks/1', audience: [9, 7] } : undefined,
  alertedFlow: async (_tx, id) =>
    id === 2 ? { title: 'Flow “ERP”', path: '/api/nifi/flows/2', audience: [7] } : undefined,
  ownerOf: async () => 7,
  emailOf: async (_tx, userId) => (userId === 7 ? 'ayse@example.com' : undefined),
  staffEmailOf: async () => undefined,
  baseUrl: () => 'https://waybill.test',
  servicePath: 'whisperer',
})

describe('what a subscription is to people', () => {
  test('is the webhook of a project, told to the first who can be written to', async () => {
    expect(await alertSubject(tx, { subscriptionId: 1, scope: 'project' })).toEqual({
      title: 'Webhook “CI”',
      owner: 'ayse@example.com',
      link: 'https://waybill.test/api/v1/webhooks/1',
    })
  })

  test('is a flow, of which nobody is told who has left the back office', async () => {
    expect(await alertSubject(tx, { subscriptionId: 2, scope: 'flow' })).toEqual({
      title: 'Flow “ERP”',
      owner: undefined,
      link: 'https://waybill.test/api/nifi/flows/2',
    })
  })

  test('is a hook where it is neither', async () => {
    expect(await alertSubject(tx, { subscriptionId: 3, scope: 'hook' })).toEqual({
      title: 'Webhook 3',
      owner: 'ayse@example.com',
      link: 'https://waybill.test/whisperer/hooks/3/health/',
    })
  })
})
