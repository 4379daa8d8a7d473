import { makeTurns } from '../turns.ts'
import type { Write } from './idempotency.ts'

/** The same writes, those of one caller one after the other: the next takes no connection before the last is answered. */
export const writeInTurns = (write: Write, mostWaiting: number): Write => {
  const inTurn = makeTurns(mostWaiting)
  return (request, reply, work) => inTurn(request.principal.userId, () => write(request, reply, work))
}
