import { hash } from 'node:crypto'

/** SHA-256 of a text, base64url: tells whether two texts are the same. Hides nothing that can be guessed. */
export const contentHash = (text: string): string => hash('sha256', text, 'base64url')
