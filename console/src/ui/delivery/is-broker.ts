/** Whether a receiver is a place in a broker, and no address of the web. */
export const isBroker = (url: string | null): boolean => url !== null && !/^https?:/i.test(url)
