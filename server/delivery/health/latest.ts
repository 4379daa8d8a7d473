/** The later of two moments, of which either may not have been. */
export const latest = (one: Date | null, other: Date | null): Date | null => {
  if (one === null || other === null) return one ?? other
  return one > other ? one : other
}
