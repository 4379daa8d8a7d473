import { Pool } from 'undici'

/** One POST, and the event that it raises when it succeeds. */
interface Operation {
  readonly path: string
  readonly body: object
  readonly event: 'package.created' | 'package.status.transitioned'
  readonly orderNumber: string
  /** Without one, nobody can know what became of a request that got no answer. */
  readonly key: string | undefined
}

interface Answered {
  readonly status: number
  readonly id: number
  readonly isReplay: boolean
}

export interface LoadOptions {
  readonly authorization: string
  /** Each client plans for a stock location of its own. */
  readonly locations: readonly number[]
  readonly random: () => number
}

/**
 * Clients that create packages and hand them to a location, as fast as they get answers, and write down
 * what they were promised. A client whose server dies stops; one that used an Idempotency-Key asks again
 * when the next server is up.
 */
export interface PackageLoad {
  /** @returns `warm` when the server has answered some requests with a key, `ended` when it has stopped answering every client. */
  run(origin: string): { readonly warm: Promise<void>; readonly ended: Promise<void> }
  /** Repeats what is still without an answer, until there is nothing left. */
  finish(origin: string): Promise<void>
  /** `<event> <package id>` of every success. */
  readonly acknowledged: ReadonlySet<string>
  /** Order numbers of requests with a key, which some clients always use. */
  readonly keyed: ReadonlySet<string>
  /** Requests without a key that got no answer. */
  readonly abandoned: () => number
  /** Repeats with the key of an answered request, and of one that got no answer. */
  readonly repeats: { answered: number; unanswered: number }
  /** Answers that no client should ever get. */
  readonly surprises: readonly string[]
}

/** How many of the clients use keys, for all that they send. */
const shareWithKey = 0.6
/** Answered requests with a key, by which a server has begun to work. */
const warmAfter = 6

export const makePackageLoad = ({ authorization, locations, random }: LoadOptions): PackageLoad => {
  const acknowledged = new Set<string>()
  const keyed = new Set<string>()
  const surprises: string[] = []
  const repeats = { answered: 0, unanswered: 0 }
  const unanswered: Operation[] = []
  const answered: { operation: Operation; id: number }[] = []
  let made = 0
  let abandoned = 0
  let onAnswer = (): void => undefined

  const newPackage = (location: number): Operation => {
    made += 1
    const orderNumber = `O-${made}`
    const usesKeys = locations.indexOf(location) < locations.length * shareWithKey
    const key = usesKeys ? `create-${orderNumber}` : undefined
    if (key !== undefined) keyed.add(orderNumber)
    const body = { order_number: orderNumber, items: [{ sku: 'CHAIR', quantity: 1 }] }
    return { path: '/api/v1/packages/', body, event: 'package.created', orderNumber, key }
  }
  const transitionOf = ({ orderNumber, key }: Operation, id: number, location: number): Operation => ({
    path: `/api/v1/packages/${id}/transition/`,
    body: { stock_location: location },
    event: 'package.status.transitioned',
    orderNumber,
    key: key === undefined ? undefined : `transition-${orderNumber}`,
  })

  /** @returns undefined when the server died, or answered what it should not. */
  const perform = async (pool: Pool, operation: Operation): Promise<Answered | undefined> => {
    const { event, orderNumber, key } = operation
    try {
      const answer = await send(pool, operation, authorization)
      if (answer.status === 200 || answer.status === 201) {
        acknowledged.add(`${event} ${answer.id}`)
        if (key !== undefined) onAnswer()
        return answer
      }
      surprises.push(`${event} of ${orderNumber}: ${answer.status} ${answer.text}`)
    } catch {
      if (key === undefined) abandoned += 1
      else unanswered.push(operation)
    }
    return undefined
  }

  const repeatAnswered = async (pool: Pool): Promise<void> => {
    const one = answered[Math.floor(random() * answered.length)]
    if (one === undefined) return
    const answer = await send(pool, one.operation, authorization).catch(() => undefined)
    if (answer === undefined) return
    repeats.answered += 1
    if (answer.isReplay && answer.id === one.id) return
    surprises.push(`${one.operation.key} again: ${answer.status} ${answer.text}, first id ${one.id}`)
  }

  /** One operation and, after a creation, the transition. @returns false when the server is gone. */
  const step = async (pool: Pool, location: number, operation: Operation): Promise<boolean> => {
    const answer = await perform(pool, operation)
    if (answer === undefined) return false
    if (operation.key !== undefined) answered.push({ operation, id: answer.id })
    if (operation.event !== 'package.created') return true
    return step(pool, location, transitionOf(operation, answer.id, location))
  }

  const repeatUnanswered = async (pool: Pool, location: number): Promise<boolean> => {
    for (let operation = unanswered.pop(); operation !== undefined; operation = unanswered.pop()) {
      repeats.unanswered += 1
      if (!(await step(pool, location, operation))) return false
    }
    return true
  }

  const eachClient = async (origin: string, client: (pool: Pool, location: number) => Promise<void>): Promise<void> => {
    const pool = new Pool(origin, { connections: locations.length })
    await Promise.all(locations.map((location) => client(pool, location)))
    await pool.destroy()
  }

  return {
    acknowledged,
    keyed,
    repeats,
    surprises,
    abandoned: () => abandoned,
    run: (origin) => {
      const { promise: answer, resolve } = Promise.withResolvers<void>()
      let answers = 0
      onAnswer = () => {
        if ((answers += 1) === warmAfter) resolve()
      }
      const ended = eachClient(origin, async (pool, location) => {
        if (!(await repeatUnanswered(pool, location))) return
        await repeatAnswered(pool)
        while (await step(pool, location, newPackage(location)));
      })
      return { warm: Promise.race([answer, ended]), ended }
    },
    finish: (origin) =>
      eachClient(origin, async (pool, location) => {
        await repeatUnanswered(pool, location)
        await repeatAnswered(pool)
      }),
  }
}

const send = async (
  pool: Pool,
  { path, body, key }: Operation,
  authorization: string,
): Promise<Answered & { readonly text: string }> => {
  const headers = {
    authorization,
    'content-type': 'application/json',
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  }
  const answer = await pool.request({ path, method: 'POST', headers, body: JSON.stringify(body) })
  const text = await answer.body.text()
  const { id = 0 } = JSON.parse(text) as { id?: number }
  return { status: answer.statusCode, id, isReplay: answer.headers['idempotency-replayed'] === 'true', text }
}
