import { formatNumber } from '#ui/texts/format.ts'

export interface Item {
  readonly sku: string
  readonly quantity: number
}

/** What is in it, in a line: "2 × CHAIR-OAK, 1 × LAMP-ASH". The first three skus, and how many more; figures stay with their sku. */
export const itemsText = (items: readonly Item[]): string => {
  const words = items.slice(0, 3).map(({ sku, quantity }) => `${formatNumber(quantity)}\u00A0×\u00A0${sku}`)
  return [...words, ...(items.length > 3 ? [`+${formatNumber(items.length - 3)}`] : [])].join(', ')
}

/** How many pieces these are. */
export const piecesOf = (items: readonly Item[]): number => items.reduce((sum, { quantity }) => sum + quantity, 0)
