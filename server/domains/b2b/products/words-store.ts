import { sql } from 'kysely'
import { Type } from 'typebox'
import { all, custom, textIn, type Filter } from '#platform/lists/filters.ts'

/** As it is indexed. */
const searched = sql`folded(name || ' ' || sku || ' ' || category)`

/** Products in whose name, sku or category every word is. */
export const words: Filter<string> = {
  ...custom(
    Type.String({
      maxLength: 255,
      description:
        'Parts of the name, the sku or the category: each word of it is in one of them; case makes no difference. ' +
        'More than 10,000 rows are counted as 10,000, with `X-Total-Count-Relation: gte`, and have pages up to there.',
    }),
    (text) => all(wordsIn(text).map((word) => textIn(searched, word, (part) => sql`folded(${part}::text)`))),
  ),
  isBounded: true,
}

const wordsIn = (text: string): string[] => text.split(/\s+/u).filter(Boolean)
