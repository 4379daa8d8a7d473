/** SQLSTATE codes that the server's code reacts to (PostgreSQL manual, appendix A). */
const sqlState = {
  uniqueViolation: '23505',
  serializationFailure: '40001',
  deadlockDetected: '40P01',
} as const

const stateOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined

const constraintOf = (error: unknown): string => (error as { constraint?: string }).constraint ?? ''

/** What a change answers; `taken` when it would be a duplicate (in the named constraint or unique index), and then the transaction is beyond use. */
export const unlessTaken = async <T>(change: Promise<T>, constraint?: string): Promise<T | 'taken'> => {
  try {
    return await change
  } catch (error) {
    const isDuplicate = stateOf(error) === sqlState.uniqueViolation
    if (isDuplicate && (constraint === undefined || constraintOf(error) === constraint)) return 'taken'
    throw error
  }
}

/** Whether PostgreSQL gave the transaction up for reasons that running it again can mend. */
export const isRetryable = (error: unknown): boolean => {
  const state = stateOf(error)
  if (state === sqlState.serializationFailure || state === sqlState.deadlockDetected) return true
  // Ids carry the time and a small counter: one can come twice when the database's clock was set back, or when a process
  // that reads the time pauses until the counter has come round.
  return state === sqlState.uniqueViolation && /^(events|deliveries)_.*pkey$/.test(constraintOf(error))
}

/** Whether PostgreSQL refused a value for what it is (class 22, data exception): trying the same again cannot help. */
export const isDataError = (error: unknown): boolean => stateOf(error)?.startsWith('22') ?? false
