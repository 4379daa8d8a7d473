import type { Commerce } from '#domains/b2b/index.ts'
import type { Config } from '#platform/config.ts'

/** Where orders go by the configuration, which has checked that what belongs together is there. */
export const commerceSettings = ({ COMMERCE_CONNECTOR, COMMERCE_URL, COMMERCE_SECRET }: Config): Commerce =>
  COMMERCE_CONNECTOR === 'http' && COMMERCE_URL !== undefined && COMMERCE_SECRET !== undefined
    ? { connector: 'http', url: COMMERCE_URL, secret: COMMERCE_SECRET }
    : { connector: 'ledger' }
