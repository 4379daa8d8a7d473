import { useQuery } from '@tanstack/react-query'
import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import { listOf } from '#api/queries.ts'
import { useMe } from '#api/session.ts'
import type { Schema } from '#api/types.ts'
import type { Choice } from '#ui/list/filters.ts'

const channels = listOf('/api/v1/channels', { query: { limit: 1_000 } })
const kinds = listOf('/api/v1/content_types', { query: { limit: 1_000 } })
const people = listOf('/api/v1/users', { query: { is_staff: true, is_active: true, limit: 1_000 } })
const staleTime = 5 * 60_000

const nameOf = ({ first_name: first, last_name: last, email }: Schema<'User'> | Schema<'Me'>): string =>
  `${first} ${last}`.trim() || email

/** What the ids in groups and reports stand for, and what filters can choose from. */
export const useNames = () => {
  const { t } = useTranslation('error-reports')
  const me = useMe()
  const { data: knownChannels } = useQuery({ ...channels, staleTime })
  const { data: knownKinds } = useQuery({ ...kinds, staleTime })
  const { data: knownPeople } = useQuery({ ...people, staleTime, enabled: me.is_superuser })
  const staff: readonly (Schema<'User'> | Schema<'Me'>)[] = knownPeople?.rows ?? [me]
  const modelOf = (id: number | null): string | undefined => knownKinds?.rows.find((kind) => kind.id === id)?.model
  const kindName = (model: string): string =>
    i18next.exists(`error-reports:kind.${model}`) ? t(`kind.${model}`) : model
  return {
    modelOf,
    kindName,
    kind: (id: number): string => kindName(modelOf(id) ?? String(id)),
    channel: (id: number | null): string => {
      if (id === null) return t('no_channel')
      return knownChannels?.rows.find((channel) => channel.id === id)?.name ?? t('channel_id', { id })
    },
    person: (id: number): string => {
      const found = staff.find((one) => one.id === id)
      return found === undefined ? t('person_id', { id }) : nameOf(found)
    },
    choices: {
      channels: (knownChannels?.rows ?? []).map((one): Choice => ({ value: String(one.id), name: one.name })),
      kinds: (knownKinds?.rows ?? []).map((one): Choice => ({ value: String(one.id), name: kindName(one.model) })),
      models: (knownKinds?.rows ?? []).map((one): Choice => ({ value: one.model, name: kindName(one.model) })),
      people: staff.map((one): Choice => ({ value: String(one.id), name: nameOf(one) })),
    },
  }
}

export type Names = ReturnType<typeof useNames>
