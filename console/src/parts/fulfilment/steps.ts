export interface Step {
  readonly status: string
  /** When it was reached; undefined for what is ahead, or where nobody wrote it down. */
  readonly at: string | undefined
  readonly state: 'done' | 'now' | 'ahead'
}

interface Walked {
  readonly status: string
  readonly at: string | undefined
}

/**
 * The life of something as steps: those it went, each once, then what usually follows where it stands on the usual way.
 * @param usual statuses in the order that most go
 */
export const stepsOf = (usual: readonly string[], walked: readonly Walked[], now: string): readonly Step[] => {
  const been = walked.filter(({ status }, index) => walked.findLastIndex((one) => one.status === status) === index)
  const at = usual.indexOf(now)
  const ahead = at === -1 ? [] : usual.slice(at + 1)
  return [
    ...been.map(({ status, at: when }) => ({ status, at: when, state: status === now ? 'now' : 'done' }) as const),
    ...ahead.map((status) => ({ status, at: undefined, state: 'ahead' }) as const),
  ]
}
