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

let isLeft = false

/** Remembers where somebody is. */
export const rememberPlace = (place: Place): void => {
  if (isLeft) return
  const others = recentPlaces().filter(({ path }) => path !== place.path)
  localStorage.setItem(key, JSON.stringify([place, ...others].slice(0, maxPlaces)))
}

/** Forgets all, as another person may come, and what this page goes to until it is gone. */
export const forgetPlaces = (): void => {
  isLeft = true
  localStorage.removeItem(key)
}
