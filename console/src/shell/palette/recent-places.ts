export interface Place {
  readonly path: string
  readonly title: string
}

const key = 'waybill.recent'
const maxPlaces = 8

/** The pages that somebody went to last, in this browser. */
export const recentPlaces = (): readonly Place[] => {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '[]') as Place[]
  } catch {
    // Somebody else wrote it.
    return []
  }
}

/** Remembers where somebody is. */
export const rememberPlace = (place: Place): void => {
  const others = recentPlaces().filter(({ path }) => path !== place.path)
  localStorage.setItem(key, JSON.stringify([place, ...others].slice(0, maxPlaces)))
}

/** Forgets all, as another person may come. */
export const forgetPlaces = (): void => localStorage.removeItem(key)
