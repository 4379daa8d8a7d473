const none: ReadonlyMap<string, string> = new Map()

/** What the buyer's company paid for each product in its last approved quotation, by what the platform calls the product. */
export const useLastPrices = (_id: number): ReadonlyMap<string, string> => none
