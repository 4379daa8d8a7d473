import { maskKnownForms } from './known-forms.ts'
import { maskNamedValues } from './named-values.ts'

/**
 * A text without its secrets, each replaced by `***`: what has the name of one in JSON, forms, XML and header lines, and what is
 * one by its own form. The same again changes nothing. Takes time in proportion to the length of the text.
 */
export const maskSecrets = (text: string): string => maskNamedValues(maskKnownForms(text))
