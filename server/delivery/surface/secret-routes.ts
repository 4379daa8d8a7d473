import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { Type, type TSchema } from 'typebox'
import { hourMs } from '#platform/clock.ts'
import type { Tx } from '#platform/db/database.ts'
import { invalidField, orNotFound } from '#platform/errors.ts'
import type { Operation } from '#platform/http/route-options.ts'
import { Nullable, OneOf, OptionalBody, Timestamp } from '#platform/http/schemas.ts'
import type { SecretState } from '../secrets/subscription-secrets.ts'
import type { SignatureVersion } from '../subscriber/subscription.ts'
import { masked } from '../subscriber/mask.ts'
import { makeShape, named, type Naming, type ShownFields } from './shape.ts'
import { newSecretProblem } from './signing-secret.ts'
import type { Surface } from './surface.ts'

export interface SecretOptions {
  readonly operations: { readonly get: Operation; readonly rotate: Operation; readonly revoke: Operation }
  /** What an answer shows: `secret` is the mask, except in the answer to a rotation and where it `isReadable`. */
  readonly get: ShownFields<SecretView>
  readonly rotated: ShownFields<SecretView>
  readonly isReadable: boolean
  readonly titles: { readonly get: string; readonly rotated: string; readonly rotation?: string }
  /** What is said of a secret that the caller gives; undefined where secrets are always made here. */
  readonly given?: string
}

const algorithms = { v1: 'hmac-sha256', v1a: 'ed25519' } as const satisfies Record<SignatureVersion, string>

/** What signs, as answers can show it. */
export interface SecretView {
  readonly algorithm: (typeof algorithms)[SignatureVersion]
  readonly publicKey: string | undefined
  /** null where nothing signs with one, and for key pairs, whose private key is never shown. */
  readonly secret: string | null
  /** Replaced ones that sign beside the present one, the newest first. */
  readonly previous: readonly Readonly<Record<string, string>>[]
  /** When the last of them ends. */
  readonly previousValidUntil: Date | null
}

export const secretExample = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
export const validUntil = Nullable(Timestamp)
export const algorithm = OneOf(Object.values(algorithms), {
  description: 'Of webhook-signature: hmac-sha256 for signature v1, ed25519 for v1a.',
})
export const rotatedSecret = (description: string): TSchema =>
  Nullable(Type.String({ description, examples: [secretExample] }))

const usualOverlapHours = 24
const maxOverlapHours = 168
const noStore = { 'cache-control': 'no-store' }

const signsDeliveries = 'What signs deliveries, and until when what it replaced does.'

/** What signs the deliveries of a subscription, and its change without a gap (Standard Webhooks 1.0: key rotation). */
export const secretRoutes = (surface: Surface, options: SecretOptions): FastifyPluginAsync => {
  const { db, clock, write, naming, params, route, owner, subscriptions } = surface
  const { operations, isReadable, titles } = options
  const path = `${surface.path}/secret`
  const shown = makeShape<SecretView>(naming, options.get, { title: titles.get, description: signsDeliveries })
  const rotated = makeShape<SecretView>(naming, options.rotated, {
    title: titles.rotated,
    description: signsDeliveries,
  })
  const get = route(operations.get, { params, response: { 200: shown.schema } })
  const body = OptionalBody(rotationFields(options, naming), {
    ...(titles.rotation === undefined ? {} : { title: titles.rotation, description: 'How the secret is changed.' }),
    examples: [{ [naming('overlapHours')]: usualOverlapHours }],
  })
  const rotate = route(operations.rotate, { params, body, response: { 200: rotated.schema } })
  const revoke = route(operations.revoke, { params, response: { 204: Type.Null() } })

  return async (app) => {
    app.get(path, get, async (request, reply) => {
      const state = orNotFound(await subscriptions.findSecrets(db, await owner(request).find(db)))
      const record = shown.toRecord(viewOf(isReadable ? state : masking(state), clock.now(), naming))
      // In a write, so that the audit can say who has seen it.
      return isReadable ? write(request, reply, async () => ({ status: 200, body: record, headers: noStore })) : record
    })

    app.post(path, rotate, async (request, reply) => {
      const change = readRotation(request, naming)
      const asked = owner(request)
      return write(request, reply, async (tx) => {
        const now = clock.now()
        const id = await asked.lock(tx, now)
        if (change.secret !== undefined) await checkGiven(tx, surface, id, change.secret)
        const state = orNotFound(await subscriptions.rotateSecret(tx, id, { ...change, now }))
        const record = rotated.toRecord(viewOf(hidingPair(state), now, naming))
        return { status: 200, body: record, headers: noStore }
      })
    })

    app.delete(`${path}/previous`, revoke, async (request, reply) => {
      const asked = owner(request)
      return write(request, reply, async (tx) => {
        orNotFound(await subscriptions.revokePreviousSecrets(tx, await asked.lock(tx)))
        return { status: 204 }
      })
    })
  }
}

const rotationFields = ({ given }: SecretOptions, naming: Naming): Record<string, TSchema> => {
  const overlapHours = Type.Number({
    minimum: 0,
    maximum: maxOverlapHours,
    description: `Hours that the old secret signs beside the new one; 0 for not at all. Default: ${usualOverlapHours}.`,
    examples: [usualOverlapHours],
  })
  const secret = Type.String({ description: given ?? '', examples: [secretExample] })
  return named(naming, {
    ...(given === undefined ? {} : { secret: Type.Optional(secret) }),
    overlapHours: Type.Optional(overlapHours),
  })
}

/** @throws AppError 400 for a secret that cannot sign. */
const readRotation = ({ body }: FastifyRequest, naming: Naming) => {
  // The schema of the body has checked both.
  const fields = (body ?? {}) as Readonly<Record<string, unknown>>
  const secret = fields[naming('secret')] as string | undefined
  const hours = (fields[naming('overlapHours')] as number | undefined) ?? usualOverlapHours
  const problem = secret === undefined ? undefined : newSecretProblem(secret)
  if (problem !== undefined) throw invalidField(naming('secret'), problem)
  return { secret, overlapMs: Math.round(hours * hourMs) }
}

/** @throws AppError 400 for the secret that signs already, and where a key pair does. */
const checkGiven = async (tx: Tx, { subscriptions, noun, naming }: Surface, id: number, secret: string) => {
  const before = orNotFound(await subscriptions.findSecrets(tx, id))
  const field = naming('secret')
  if (before.signature === 'v1a')
    throw invalidField(
      field,
      `This ${noun} signs with a key pair (signature v1a), which is made here; send no ${field}.`,
    )
  if (before.secret === secret)
    throw invalidField(field, `The ${noun} signs with this secret already; send another, or none.`)
}

const masking = (state: SecretState): SecretState => ({ ...state, secret: masked(state.secret) })
const hidingPair = (state: SecretState): SecretState => (state.signature === 'v1a' ? { ...state, secret: null } : state)

const viewOf = ({ signature, secret, publicKey, previousUntil }: SecretState, now: Date, naming: Naming) => {
  const last = previousUntil.filter((until) => until > now)
  const view: SecretView = {
    algorithm: algorithms[signature],
    publicKey: publicKey ?? undefined,
    secret,
    previous: last.map((until) => ({ [naming('validUntil')]: until.toISOString() })),
    previousValidUntil: last.length === 0 ? null : new Date(Math.max(...last.map((until) => until.getTime()))),
  }
  return view
}
