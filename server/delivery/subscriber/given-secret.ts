import { mask } from './mask.ts'
import { secretProblem } from './secret.ts'

/** Why a text cannot be a new signing secret; undefined when it can. The mask stands for an old one. */
export const givenSecretProblem = (secret: string): string | undefined =>
  secret === mask ? 'This is the mask; send a secret, or leave it out to have one made.' : secretProblem(secret)
