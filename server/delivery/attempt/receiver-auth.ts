import type { Receiver } from './request-headers.ts'
import type { SendResult, Sender } from '../outbound/sender.ts'
import type { ReceiverAuth } from '../subscriber/subscription.ts'

type TokenAuth = Extract<ReceiverAuth, { auth_type: 'token' }>

/** Signs in at receivers that ask for it (contract, section 4: `config.auth`). */
export const makeReceiverSignIn = (sender: Sender) => {
  // Kept until refused. By version too: a changed subscription may have another account.
  const tokens = new Map<string, Promise<string | SendResult>>()
  const keyOf = ({ id, version }: Receiver): string => `${id}:${version}`

  const tokenFor = (receiver: Receiver, auth: TokenAuth): Promise<string | SendResult> => {
    const key = keyOf(receiver)
    const kept = tokens.get(key)
    if (kept !== undefined) return kept
    const fetching = fetchToken(sender, receiver.id, auth)
    tokens.set(key, fetching)
    return fetching
  }

  return {
    /** The headers that carry the credential, or why there is none. */
    async authorize(receiver: Receiver): Promise<{ headers: Record<string, string> } | { failed: SendResult }> {
      const { auth } = receiver
      if (auth === null) return { headers: {} }
      if (auth.auth_type === 'basic') {
        const credential = Buffer.from(`${auth.username}:${auth.password}`, 'utf8').toString('base64')
        return { headers: { authorization: `Basic ${credential}` } }
      }
      const token = await tokenFor(receiver, auth)
      if (typeof token !== 'string') {
        tokens.delete(keyOf(receiver))
        return { failed: token }
      }
      return { headers: { authorization: auth.header_format.replace('{}', () => token) } }
    },
    /** The receiver refused the credential: get a new one next time. */
    refused(receiver: Receiver): void {
      tokens.delete(keyOf(receiver))
    },
  }
}

export type ReceiverSignIn = ReturnType<typeof makeReceiverSignIn>

/** POSTs the account as a form and reads the token out of the JSON answer. */
const fetchToken = async (sender: Sender, sharer: number, auth: TokenAuth): Promise<string | SendResult> => {
  const body = new URLSearchParams({
    [auth.username_field]: auth.username,
    [auth.password_field]: auth.password,
  }).toString()
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
    'accept-encoding': 'identity',
  }
  const result = await sender.send({ url: auth.url, headers, body, sharer })
  const token =
    result.status !== null && result.status >= 200 && result.status < 300
      ? tokenIn(result.body, auth.token_key)
      : undefined
  if (token !== undefined) return token
  // Its body may hold a token or an account, so neither is passed on to the log of the delivery.
  return {
    ...result,
    reason: 'sign_in_failed',
    detail: `No token came from ${new URL(auth.url).origin}. ${result.reason === 'response' ? `It answered ${result.detail}.` : result.detail}`,
    status: null,
    headers: null,
    body: null,
  }
}

const tokenIn = (body: string | null, key: string): string | undefined => {
  try {
    const token: unknown = (JSON.parse(body ?? '') as Record<string, unknown> | null)?.[key]
    // Visible ASCII: it becomes part of a header.
    return typeof token === 'string' && /^[\x21-\x7e]{1,8192}$/.test(token) ? token : undefined
  } catch {
    return undefined
  }
}
