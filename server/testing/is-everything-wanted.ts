/** Whether every test is to run as long and as often as it can (TEST_EVERYTHING=1), or a part that finds what breaks easily. */
export const isEverythingWanted = process.env['TEST_EVERYTHING'] !== undefined
