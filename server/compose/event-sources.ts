import { makeEventSources, type RaiseMessages } from '#delivery/inbound/event-source.ts'
import { readSourceUrl, type SourceUrl } from '#delivery/inbound/source-url.ts'
import type { makeIdentity } from '#domains/identity/index.ts'
import { splitList } from '#platform/config.ts'
import type { Registry } from 'prom-client'
import { StartRefused, type Service } from '#platform/supervisor.ts'
import type { ServerContext } from '../server-context.ts'

type Identity = Pick<ReturnType<typeof makeIdentity>, 'people' | 'staffAddresseeOf'>

/** What takes events from brokers, as the user that the settings name. */
export const buildEventSources = (
  { context: { config, database, log }, registry }: { readonly context: ServerContext; readonly registry: Registry },
  { people, staffAddresseeOf, raise }: Identity & { readonly raise: RaiseMessages },
): readonly Service[] => {
  const { db } = database
  /** Asked for each time: who has lost the right to raise events raises none from then on. */
  const userId = async (): Promise<number | undefined> => {
    const user = await people.findByEmail(db, config.EVENT_SOURCES_USER ?? '')
    return user === undefined ? undefined : (await staffAddresseeOf(db, user.id))?.id
  }
  return makeEventSources({ urls: splitList(config.EVENT_SOURCES).map(orRefused), raise, userId, log, registry })
}

/** @throws StartRefused naming what is wrong, without the account that may stand in it. */
const orRefused = (text: string, index: number): SourceUrl => {
  const url = readSourceUrl(text)
  if (typeof url === 'string') throw new StartRefused(`EVENT_SOURCES is not right, in place ${index + 1}: ${url}.`)
  return url
}
