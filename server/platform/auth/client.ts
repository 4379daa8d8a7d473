import { isIP } from 'node:net'

/** What a login came from, for its owner to recognize it by. Clients say what they like, so nothing is decided by it. */
export interface Client {
  readonly address: string
  readonly userAgent: string
}

const maxAgent = 256

/**
 * The client of a request, as it is kept.
 * @param ip what a proxy forwards may be no address; then it is empty.
 * @param agent cut to 256 characters, and without control characters.
 */
export const clientOf = ({ ip, agent = '' }: { readonly ip: string; readonly agent?: string | undefined }): Client => ({
  address: isIP(ip) === 0 ? '' : ip,
  userAgent: agent
    .replaceAll(/\p{Cc}/gu, ' ')
    .slice(0, maxAgent)
    .toWellFormed(),
})
