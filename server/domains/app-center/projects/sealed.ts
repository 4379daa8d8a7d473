import type { SealedColumn } from '#platform/crypto/reseal.ts'
import type { Vault } from '#platform/crypto/vault.ts'
import { noObjects, type ProjectObjects } from './project-shape.ts'

/** Where projects keep what is sealed. */
export const sealedProjects: SealedColumn = { table: 'projects', column: 'sealed' }

/** What is encrypted as one text: whatever could open a door elsewhere, the addresses of key files included. */
export type Credentials = Omit<ProjectObjects, 'appStatuses'>

export const sealCredentials = (vault: Vault, credentials: Credentials): string => {
  const { credential, additionalCredentials, storeCredentials } = credentials
  return vault.seal(JSON.stringify({ credential, additionalCredentials, storeCredentials } satisfies Credentials))
}

/** @throws when it was sealed with a SECRET_KEY that is not known. */
export const openCredentials = (vault: Vault, sealed: string): Credentials => {
  const { credential, additionalCredentials, storeCredentials } = noObjects
  const stored = JSON.parse(vault.open(sealed)) as Partial<Credentials>
  return { credential, additionalCredentials, storeCredentials, ...stored }
}
