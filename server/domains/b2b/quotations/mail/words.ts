import type { MailLocale } from '#platform/mail/reader.ts'
import type { QuotationWords } from './quotation-words.ts'
import { english } from './words-en.ts'
import { turkish } from './words-tr.ts'

/** What messages about quotations say, by language. */
export const words: Readonly<Record<MailLocale, QuotationWords>> = { en: english, tr: turkish }
