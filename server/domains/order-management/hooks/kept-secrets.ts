import type { ReceiverAuth, SubscriptionSettings } from '#delivery/subscriber/subscription.ts'
import { keepHeaders } from '#delivery/surface/kept-headers.ts'
import { mask } from '#delivery/subscriber/mask.ts'
import { originOf } from '#delivery/surface/target-url.ts'
import { collectProblems, type Problems } from '#platform/problems.ts'

/** What a hook keeps secret, and where it goes. */
export type Confidential = Pick<SubscriptionSettings, 'url' | 'headers' | 'auth' | 'secret'>

/** What of it a request names; the rest is undefined. */
export type Named = { readonly [Field in keyof Confidential]: Confidential[Field] | undefined }

/**
 * Puts the stored secrets where a request has the mask. What the receiver is sent (its password, headers
 * that carry credentials) is kept only for the same scheme, host and port: whoever may change a hook could
 * otherwise have what they cannot read sent to themselves. The signing secret is never sent, so it stays.
 * @param wanted what the hook is to be; what the request does not name is filled in.
 * @throws AppError 400 that names every secret that has to be sent again.
 */
export const keepSecrets = (named: Named, wanted: Confidential, stored: Confidential | undefined): Confidential => {
  const problems = collectProblems()
  const moves = stored !== undefined && originOf(stored.url) !== originOf(wanted.url)
  const change: Change = { wanted, stored, moves, problems }
  const kept = {
    url: wanted.url,
    headers: keepHeaders({
      field: 'additional_headers',
      problems,
      moves,
      isNamed: named.headers !== undefined,
      wanted: wanted.headers,
      stored: stored?.headers ?? null,
    }),
    auth: keptAuth(change, named.auth !== undefined),
    secret: keptSecret(change),
  }
  problems.throwIfAny()
  return kept
}

interface Change {
  readonly wanted: Confidential
  readonly stored: Confidential | undefined
  /** Whether deliveries will go to another scheme, host or port. */
  readonly moves: boolean
  readonly problems: Problems
}

const noneStored = (what: string): string =>
  `This is the mask, and no ${what} is stored that it could keep; send the ${what}.`
const sendAgain = (what: string): string => `Send ${what} again because the address changes.`

const keptAuth = ({ wanted, stored, moves, problems }: Change, isNamed: boolean): ReceiverAuth | null => {
  const { auth } = wanted
  if (auth === null || (isNamed && auth.password !== mask)) return auth
  const before = stored?.auth ?? null
  if (before === null || before.auth_type !== auth.auth_type) {
    problems.add('config.auth.password', noneStored('password'))
  } else if (moves || signInOrigin(auth) !== signInOrigin(before)) {
    problems.add(isNamed ? 'config.auth.password' : 'config', sendAgain('the password'))
  } else {
    return { ...auth, password: before.password }
  }
  return auth
}

/** Where the password goes besides the receiver. A token goes to the receiver, so for one both have to stay. */
const signInOrigin = (auth: ReceiverAuth): string | undefined =>
  auth.auth_type === 'token' ? originOf(auth.url) : undefined

const keptSecret = ({ wanted: { secret }, stored, problems }: Change): string | null => {
  if (secret !== mask) return secret
  const before = stored?.secret ?? null
  if (before === null) problems.add('secret_key', noneStored('secret'))
  return before
}
