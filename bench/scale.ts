let scale = 1

/** Makes every amount smaller, to try a suite out: the figures mean something only at 1. */
export const setScale = (to: number): void => {
  scale = to
}

/** An amount at the present scale, at least `least`. */
export const scaled = (amount: number, least = 1): number => Math.max(least, Math.round(amount * scale))
