/**
 * A life cycle as data: status → action → the move it makes. What is not in the table cannot be done.
 * The same table refuses moves, says what is allowed instead, and writes the documentation.
 */
export type StateTable<Status extends string, Action extends string, Move> = Readonly<
  Record<Status, Readonly<Partial<Record<Action, Move>>>>
>

/** The actions that a status has, in the table's order. */
export const actionsFrom = <Status extends string, Action extends string, Move>(
  table: StateTable<Status, Action, Move>,
  status: Status,
): readonly Action[] => Object.keys(table[status]) as Action[]

/** One line for an API description: where an action is possible and what follows. */
export const describeAction = <Status extends string, Action extends string>(
  table: StateTable<Status, Action, { readonly to: Status }>,
  action: Action,
): string => {
  const moves = (Object.keys(table) as Status[]).flatMap((from) => {
    const move = table[from][action]
    return move === undefined ? [] : [`${from} → ${move.to}`]
  })
  return `Possible moves: ${moves.join(', ')}. Any other is refused with 400 and the \`allowed_actions\`.`
}
