import { configHelp } from '#platform/config.ts'

/** waybill settings */
export const listSettings = (): void => void process.stdout.write(configHelp())
