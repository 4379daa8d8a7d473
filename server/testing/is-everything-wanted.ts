/** Whether every test is to run as long and as often as it can (TEST_EVERYTHING=1), or a part that finds what breaks easily. */
export const isEverythingWanted = process.env['TEST_EVERYTHING'] !== undefined

/** How many cases of a property are tried. */
export const tries = (usually: number, thoroughly: number): { readonly numRuns: number } => ({
  numRuns: isEverythingWanted ? thoroughly : usually,
})
