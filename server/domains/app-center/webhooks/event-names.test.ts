import fc from 'fast-check'
import { expect, test } from 'vitest'
import { projectEventTypes } from '#events/catalogue.ts'
import { collectProblems } from '#platform/problems.ts'
import { readEvents } from './event-names.ts'

const read = (names: readonly string[]) => {
  const said: Record<string, string> = {}
  const problems = { ...collectProblems(), add: (field: string, text?: string) => text && (said[field] = text) }
  return { events: readEvents(names, problems), said }
}

test('any list of known names is a set in the order of the documentation', () => {
  const list = fc.array(fc.constantFrom(...projectEventTypes))
  fc.assert(
    fc.property(list, (names) => {
      const { events, said } = read(names)
      expect(said).toEqual({})
      expect(events).toEqual(projectEventTypes.filter((known) => names.includes(known)))
    }),
  )
})

test('a name in any other case is refused at its place, with the name that is meant', () => {
  const mixed = fc
    .constantFrom(...projectEventTypes)
    .chain((meant) => fc.mixedCase(fc.constant(meant)).map((typed) => ({ meant, typed })))
  fc.assert(
    fc.property(
      mixed.filter(({ meant, typed }) => meant !== typed),
      ({ meant, typed }) => {
        const { events, said } = read(['distribution.created', typed])
        expect(events).toEqual(['distribution.created'])
        expect(Object.keys(said)).toEqual(['events.1'])
        expect(said['events.1']).toContain(`Did you mean ${meant}?`)
      },
    ),
  )
})

test('a name that is like none gets all names', () => {
  fc.assert(
    fc.property(fc.string(), (typed) => {
      const { said } = read([`${typed}x`])
      expect(said['events.0']).toContain(projectEventTypes.join(', '))
    }),
  )
})
