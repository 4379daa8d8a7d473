import { CamelCasePlugin } from 'kysely'

/** Columns are snake_case in SQL and camelCase in TypeScript; what is inside a JSON column is left as it is. */
export const plugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true })]
