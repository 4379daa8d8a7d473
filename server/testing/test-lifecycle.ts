import { describe, expect, test } from 'vitest'
import type { Lifecycle, Move, Part, Situation, Terms } from '#platform/lifecycle/lifecycle.ts'
import type { TestApp } from './make-test-app.ts'

const success: unknown = expect.toBeOneOf([200, 201])

interface Requester<T extends Terms> {
  readonly who: string
  readonly part: Part<T>
  readonly call: TestApp['call']
}
type Request = readonly [method: 'POST' | 'PATCH', url: string, body?: object]

interface Asked<T extends Terms> {
  readonly action: T['action']
  readonly situation: Situation<T>
  readonly part: Part<T>
}

interface Driven<T extends Terms, Thing extends object, Id extends string | number> {
  readonly lifecycle: Lifecycle<T>
  readonly database: TestApp['database']
  /** The kind of object that the events are about. */
  readonly about: string
  /** Everybody who can ask. */
  readonly requesters: readonly Requester<T>[]
  /** Makes a new thing and brings it to a status, through the API. */
  readonly reach: (status: T['status']) => Promise<{ readonly id: Id }>
  readonly situation: (thing: Thing) => Situation<T>
  readonly url: (id: Id, part: Part<T>) => string
  /** What a thing shows of what can be done with it; by default `allowed_actions`. */
  readonly shows?: (situation: Situation<T>, part: Part<T>) => object
  /** Actions are statuses: to ask for the one that a thing has is accepted, and changes nothing. */
  readonly staysAsItIs?: boolean
  /** The answer to a refused action, where it is not the usual one. */
  readonly refusal?: (code: T['code'] | 'forbidden', asked: Asked<T>) => readonly unknown[]
  /** How an action is asked for where that is not an empty POST to its path. The move is absent where it is refused. */
  readonly request?: (action: T['action'], url: string, move: Move<T> | undefined) => Promise<Request | undefined>
  /** Whether a part has a route for an action; by default for every action. */
  readonly hasRoute?: (action: T['action'], part: Part<T>) => boolean
  /** The events of a move, given the thing after it. */
  readonly raises: (after: Thing, move: Move<T>, before: Thing) => readonly object[]
  /** What else a refused action must leave as it was, such as stock. */
  readonly look?: (thing: Thing) => Promise<unknown>
}

/**
 * Brings things into every status of a life cycle through the API, tries every action as everybody, and compares answers,
 * `allowed_actions`, the thing and its events with what the table says. What the table should say is for a test of its own.
 */
export const testLifecycle = <T extends Terms, Thing extends object, Id extends string | number = number>(
  driven: Driven<T, Thing, Id>,
): void => {
  const { lifecycle, requesters, hasRoute = () => true } = driven
  const attempts = requesters.flatMap((requester) =>
    lifecycle.actions
      .filter((action) => hasRoute(action, requester.part))
      .map((action) => ({ who: requester.who, requester, action })),
  )

  describe.each(lifecycle.statuses)('%s', (status: T['status']) => {
    // A refused action changes nothing, so the next one can be tried on the same thing.
    let kept: Id | undefined
    const take = async (): Promise<Id> => (kept ??= (await driven.reach(status)).id)

    test.each(attempts)('$action by $who', async ({ requester, action }) => {
      const id = await take()
      const before = await observe(driven, requester, id)
      const situation = driven.situation(before.thing)
      expect(situation.status).toBe(status)
      const decision = lifecycle.decide(action, situation, requester.part)
      const move = 'refused' in decision ? undefined : decision
      const url = driven.url(id, requester.part)
      const answer = await requester.call(
        ...((await driven.request?.(action, url, move)) ?? ['POST', `${url}${action}/`]),
      )
      const after = await observe(driven, requester, id)

      if (move !== undefined) kept = undefined
      const expected = {
        thing: move === undefined ? before.thing : { ...after.thing, ...allowedNow(driven, requester, after.thing) },
        rest: move === undefined ? before.rest : after.rest,
        events: [...before.events, ...(move === undefined ? [] : driven.raises(after.thing, move, before.thing))],
      }
      expect(after).toEqual(expected)
      expect(driven.situation(after.thing).status).toBe(move?.to ?? status)
      const body = answer.json<object>()
      const asked = { action, situation, part: requester.part }
      const isIdle = driven.staysAsItIs === true && action === status
      const refusal = driven.refusal ?? ((code) => refusalOf(lifecycle, code, asked))
      expect([answer.statusCode, body]).toEqual(
        'refused' in decision && !isIdle ? refusal(decision.refused, asked) : [success, after.thing],
      )
    })

    test.each(requesters)('what $who is told', async (requester) => {
      const { thing } = await observe(driven, requester, await take())
      expect(thing).toMatchObject(allowedNow(driven, requester, thing))
    })
  })
}

const allowedNow = <T extends Terms, Thing extends object, Id extends string | number>(
  { lifecycle, situation, shows }: Driven<T, Thing, Id>,
  { part }: Requester<T>,
  thing: Thing,
) => ({
  ...('blocked_actions' in thing && { blocked_actions: lifecycle.blockedActions(situation(thing), part) }),
  ...(shows?.(situation(thing), part) ?? { allowed_actions: lifecycle.allowedActions(situation(thing), part) }),
})

const observe = async <T extends Terms, Thing extends object, Id extends string | number>(
  { database, about, url, look }: Driven<T, Thing, Id>,
  { call, part }: Requester<T>,
  id: Id,
) => {
  const thing = (await call('GET', url(id, part))).json<Thing>()
  const rows = await database.db
    .selectFrom('events')
    .select(['type', 'body'])
    .where('objectType', '=', about)
    .where('objectId', '=', String(id))
    .orderBy('sequence')
    .execute()
  const events = rows.map(({ type, body }) => ({ type, data: (JSON.parse(body) as { data: unknown }).data }))
  return { thing, events, rest: await look?.(thing) }
}

const refusalOf = <T extends Terms>(
  { reasonOf, allowedActions }: Lifecycle<T>,
  code: T['code'] | 'forbidden',
  { action, situation, part }: Asked<T>,
) => {
  if (code === 'forbidden') return [403, { detail: 'You do not have permission to perform this action.' }]
  const reason = reasonOf(code, action, situation, part)
  return [400, { non_field_errors: [reason], code, allowed_actions: allowedActions(situation, part) }]
}
