/** Somebody else who has the quotation open. */
export interface Viewer {
  readonly id: number
  readonly first_name: string
  readonly last_name: string
  readonly email: string
}

const nobody: readonly Viewer[] = []

/** The others who look at the quotation. */
export const useViewers = (_id: number): readonly Viewer[] => nobody
