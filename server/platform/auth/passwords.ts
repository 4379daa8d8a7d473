import { hash, verify } from '@node-rs/argon2'
import { limitConcurrency } from '../limit-concurrency.ts'

export interface Argon2Cost {
  /** KiB. */
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

/** OWASP Password Storage Cheat Sheet: argon2id with 19 MiB, 2 passes, 1 lane. */
const safeCost: Argon2Cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** A hash of the same cost that no known password has: salt and digest are random. */
export const nobodysHash = ({ memoryCost, timeCost, parallelism }: Argon2Cost = safeCost): string =>
  `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$RCavF6bAmAjvRqruWwv2AQ$QCIRxdc86ljROIA0UofDW2z/vZqidxI8C1ysHOUa6KQ`

/**
 * Hashing runs on the threads that file and name look-ups also need (four by default), so only this
 * many at once: a storm of logins must not stall deliveries.
 */
const maxAtOnce = 2

/**
 * Passwords as argon2id. The same characters typed on different systems may be encoded differently: NFC makes them equal.
 * @param cost of one hash. Less than the usual one is for tests alone, which make hundreds of people.
 */
export const argon2Passwords = (cost: Argon2Cost = safeCost) => {
  const limited = limitConcurrency(maxAtOnce)
  const nobody = nobodysHash(cost)
  return {
    hash: (password: string) => limited(() => hash(password.normalize('NFC'), cost)),
    /** Whether the password is the hashed one. Without a hash (nobody of that name; empty: nothing set yet) it works as long and says no. */
    async matches(passwordHash: string | undefined, password: string): Promise<boolean> {
      const same = await limited(() =>
        verify(passwordHash === undefined || passwordHash === '' ? nobody : passwordHash, password.normalize('NFC')),
      )
      return same && passwordHash !== undefined && passwordHash !== ''
    },
  }
}

export type Passwords = ReturnType<typeof argon2Passwords>
