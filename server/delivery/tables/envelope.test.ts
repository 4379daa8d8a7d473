import { expect, test } from 'vitest'
import { inEnvelope, standardBody } from './envelope.ts'

const webhookId = '019aa000-0000-7000-8000-0123456789ab'
const at = new Date('2026-11-23T09:30:00.123Z')
const data = { id: 7, note: 'café — "✓"', list: [1, 2.5, null] }
const stored = standardBody('package.created', at, data)

test('The standard envelope is the stored body', () => {
  expect(inEnvelope(stored, { envelope: 'standard', eventType: 'package.created', webhookId })).toBe(stored)
  expect(JSON.parse(stored)).toEqual({ type: 'package.created', timestamp: at.toISOString(), data })
})

test('The original envelope has the type, the digits of the id, and the same data', () => {
  const body = inEnvelope(stored, { envelope: 'original', eventType: 'package.created', webhookId })
  expect(JSON.parse(body)).toEqual({
    event: { type: 'package.created', uuid: '019aa0000000700080000123456789ab' },
    payload: data,
  })
})

test('The beginning of a stored body gives the beginning of the original envelope', () => {
  const enveloped = { envelope: 'original', eventType: 'package.created', webhookId } as const
  const whole = inEnvelope(stored, enveloped)
  expect(whole.startsWith(inEnvelope(stored.slice(0, 90), enveloped))).toBe(true)
})

test('A type with characters that JSON escapes is taken for what it is', () => {
  const type = 'own."quoted".ü\\'
  const body = inEnvelope(standardBody(type, at, null), { envelope: 'original', eventType: type, webhookId })
  expect(JSON.parse(body)).toEqual({ event: { type, uuid: webhookId.replaceAll('-', '') }, payload: null })
})
