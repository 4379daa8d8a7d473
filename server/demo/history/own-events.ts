import { makeRhythm, historyDays } from '../time.ts'
import { dayMs, hourMs } from '#platform/clock.ts'
import type { Call } from '../api.ts'
import type { Chance } from './chance.ts'
import { backOffice, type HistoryEvent } from './event.ts'

const lead = {
  type: 'object',
  required: ['id', 'company', 'value'],
  properties: {
    id: { type: 'string', pattern: '^L-[0-9]+$' },
    company: { type: 'string', minLength: 1 },
    country: { type: 'string', enum: ['TR', 'DE', 'NL', 'FR'] },
    value: { type: 'number', minimum: 0 },
    owner: { type: 'string' },
  },
}
const leadExample = { id: 'L-1042', company: 'Otel Pera', country: 'TR', value: 48_500, owner: 'Murat Aydın' }

/** Types of events of the company's own. */
export const makeEventTypes = async (boss: Call): Promise<void> => {
  const make = (name: string, description: string, schema: object, example: object) =>
    boss('POST /api/v1/event_types/', { name, description, schema, example })
  await make('crm.lead.created', 'Somebody asked for an offer.', lead, leadExample)
  await make('crm.lead.won', 'A lead became a customer.', lead, leadExample)
  await make('crm.lead.lost', 'A lead went elsewhere.', lead, leadExample)
  await make(
    'sensors.humidity.exceeded',
    'A store of timber is too humid.',
    {
      type: 'object',
      required: ['hall', 'percent'],
      properties: { hall: { type: 'string' }, percent: { type: 'number', minimum: 0, maximum: 100 } },
    },
    { hall: 'Gebze 3', percent: 71.5 },
  )
  await make(
    'crm.visit.planned',
    'A visit of a showroom, as the old calendar said it.',
    { type: 'object' },
    { at: '10:30' },
  )
  await boss('PATCH /api/v1/event_types/crm.visit.planned', { is_active: false })
}

const companies = [
  'Otel Pera',
  'Kahve Durağı',
  'Studio Blau',
  'Ege Yapı',
  'Hof am See',
  'Marmara Ofis',
  'Café Linden',
  'Bosphorus Lofts',
] as const
const owners = ['Murat Aydın', 'Elif Demir', 'Jonas Weber'] as const

/** Leads of the month, and what became of them. */
export const playLeads = (chance: Chance, now: Date): HistoryEvent[] => {
  const rhythm = makeRhythm(new Date(now.getTime() - historyDays * dayMs), now)
  return Array.from({ length: 420 }, (_, index) => {
    const at = rhythm.at(chance.random(), chance.random())
    const data = {
      id: `L-${1_000 + index}`,
      company: chance.pick(companies),
      country: chance.pick(['TR', 'DE', 'NL', 'FR'], 1.5),
      value: chance.whole(8, 900) * 100,
      owner: chance.pick(owners),
    }
    const created = backOffice('crm.lead.created', at, ['lead', data.id], data)
    const endsAt = new Date(at.getTime() + chance.between(5, 120) * hourMs)
    if (endsAt >= now) return [created]
    const end = chance.isOneOf(0.35) ? 'crm.lead.won' : 'crm.lead.lost'
    return [created, backOffice(end, endsAt, ['lead', data.id], data)]
  }).flat()
}
