/**
 * The condition that a key of a partitioned table is one of those that a query finds, for use where these are few and the
 * table is large. Whatever its statistics say, the planner takes the index for an array, and the bounds spare it the
 * partitions that none of the keys can be in; of a join it may think that reading the whole table is cheaper.
 * @param column the key, in SQL.
 * @param keys a query for one column named `id`, in SQL; it runs three times, so let it be of a materialized part.
 */
export const isOneOf = (column: string, keys: string): string => `(
  ${column} = any (array(${keys}))
  and ${column} between (select min(id) from (${keys}) one) and (select max(id) from (${keys}) one)
)`
