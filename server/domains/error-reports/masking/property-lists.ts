import { isSecretAt } from './secret-names.ts'
import { elementEnd, matchAt, type Span } from './value-ends.ts'

const entry =
  />\s{0,40}([^<]{1,200}?)\s{0,40}<\/key>\s{0,80}<(string|data|integer|real|date|array|dict|true|false)\b[^<>]{0,80}>/uy

/**
 * What a property list (Apple) says under a name, given where the word in its tag `<key` ends: the name is content there,
 * and the value the next element.
 * @returns undefined when this is no property list; without a `value` when it is, but nothing in it is a secret.
 */
export const propertyOf = (text: string, end: number): { readonly value?: Span } | undefined => {
  const [all, name = '', kind = ''] = matchAt(entry, text, end) ?? []
  if (all === undefined) return undefined
  const start = entry.lastIndex
  if (all.endsWith('/>') || kind === 'true' || kind === 'false' || !isSecretAt(text, start, name)) return {}
  return { value: { start, end: elementEnd(text, start) ?? text.length } }
}
