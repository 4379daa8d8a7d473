import { expect, test } from 'vitest'
import { readerOf, timeText, type Reader } from './reader.ts'

const en = (timeZone: string): Reader => ({ locale: 'en', timeZone })
const tr = (timeZone: string): Reader => ({ locale: 'tr', timeZone })

test.each<[string, Reader, string]>([
  ['2026-12-21T09:30:00Z', en('UTC'), 'Monday, 21 December 2026 at 09:30 (UTC)'],
  ['2026-12-21T09:30:00Z', tr('UTC'), '21 Aralık 2026 Pazartesi 09:30 (UTC)'],
  ['2026-12-21T22:30:00Z', en('Europe/Istanbul'), 'Tuesday, 22 December 2026 at 01:30 (Türkiye Standard Time)'],
  ['2026-12-21T22:30:00Z', tr('Europe/Istanbul'), '22 Aralık 2026 Salı 01:30 (Türkiye Standart Saati)'],
  // Before and after clocks go forward in spring.
  ['2026-03-29T00:59:00Z', en('Europe/Berlin'), 'Sunday, 29 March 2026 at 01:59 (Central European Standard Time)'],
  ['2026-03-29T01:00:00Z', en('Europe/Berlin'), 'Sunday, 29 March 2026 at 03:00 (Central European Summer Time)'],
  // The hour that there is twice in autumn.
  ['2026-10-25T00:30:00Z', tr('Europe/Berlin'), '25 Ekim 2026 Pazar 02:30 (Orta Avrupa Yaz Saati)'],
  ['2026-10-25T01:30:00Z', tr('Europe/Berlin'), '25 Ekim 2026 Pazar 02:30 (Orta Avrupa Standart Saati)'],
  ['2026-12-21T09:30:00Z', en('Asia/Kathmandu'), 'Monday, 21 December 2026 at 15:15 (Nepal Time)'],
  ['2026-12-21T09:30:00Z', en('Mars/Olympus_Mons'), 'Monday, 21 December 2026 at 09:30 (UTC)'],
])('%s is told in the words and at the time of the reader', (time, reader, expected) => {
  expect(timeText(new Date(time), reader)).toBe(expected)
})

test('whoever has not said is written to in English, at UTC', () => {
  expect(readerOf({ locale: '', timeZone: '' })).toEqual(en('UTC'))
  expect(readerOf({ locale: 'tr', timeZone: 'Europe/Istanbul' })).toEqual(tr('Europe/Istanbul'))
})
