import { writeFileSync } from 'node:fs'
import type { ServerFlags } from '../flags.ts'
import { note, say } from '../output.ts'
import { clientOf } from './client.ts'
import { configured, readServer, type Configuration } from './configuration.ts'

/** waybill export: the same configuration is the same text. Secrets are masked, as the server shows them to nobody. */
export const exportConfiguration = async (flags: ServerFlags & { readonly file?: string }): Promise<void> => {
  const { eventTypes, hooks, settings } = await readServer(clientOf(flags))
  const configuration: Configuration = {
    waybill_configuration: 1,
    event_types: eventTypes,
    hooks: hooks.map(configured),
    settings,
  }
  const text = JSON.stringify(configuration, undefined, 2)
  if (flags.file === undefined) return say(text)
  writeFileSync(flags.file, `${text}\n`)
  note(`Wrote ${eventTypes.length} event types, ${hooks.length} hooks and the settings to ${flags.file}.`)
}
