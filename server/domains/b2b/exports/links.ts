import { keyedHash } from '#platform/auth/random-keys.ts'
import type { Clock } from '#platform/clock.ts'
import { isSameText } from '#platform/crypto/digests.ts'

/** The keys that links are signed with. What was signed with an earlier one is good while SECRET_KEY is being changed. */
export interface LinkKeys {
  readonly linkKey: Buffer
  readonly earlierLinkKeys?: readonly Buffer[]
}

/** Links to files, good without a credential until they expire: whoever has one may fetch that file, and nothing else. */
export const makeDownloadLinks = ({
  keys,
  baseUrl,
  clock,
}: {
  keys: LinkKeys
  baseUrl: () => string
  clock: Clock
}) => ({
  link: (exportId: number, expiresAt: Date): string => {
    const expires = String(Math.floor(expiresAt.getTime() / 1000))
    const signature = keyedHash(keys.linkKey, signedText(exportId, expires))
    return `${baseUrl()}/api/v1/exports/${exportId}/file/?expires=${expires}&signature=${signature}`
  },
  /** Whether a link that reads so was made here, and has not expired. */
  verify: (exportId: number, expires: string, signature: string): boolean => {
    const text = signedText(exportId, expires)
    const wasMadeHere = [keys.linkKey, ...(keys.earlierLinkKeys ?? [])].some((key) =>
      isSameText(keyedHash(key, text), signature),
    )
    return wasMadeHere && Number(expires) * 1000 > clock.now().getTime()
  },
})
export type DownloadLinks = ReturnType<typeof makeDownloadLinks>

/** Says what it is for: no other thing that is signed with this key can be passed off as a link to a file. */
const signedText = (exportId: number, expires: string): string => `download of export ${exportId} until ${expires}`
