import { existsSync } from 'node:fs'

/** Debian's Chromium; another one where CHROMIUM names it. */
export const chromiumPath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'

/** Whether the tests in a browser can run on this machine. */
export const hasChromium = (): boolean => existsSync(chromiumPath)
