import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { listOf, recordOf, useSend } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { Drawer } from '#ui/drawer.tsx'
import { useGo } from '#ui/go.ts'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import { useParam } from '#ui/use-params.ts'
import { EventTypeForm } from './event-type-form.tsx'

type EventType = Schema<'EventType'>

const typeOf = (name: string) => recordOf('/api/v1/event_types/{name}', { path: { name } })

/** The hooks that name a type; patterns are no obstacle to its end. */
const listenersOf = (name: string) => listOf('/whisperer/hooks', { query: { event_type: name, limit: 1 } })

export const asks = ({ params }: Address): readonly AnyQuery[] => {
  const { name = '' } = params
  return [typeOf(name), listenersOf(name)]
}

/** One type of events: its form, its switch, and who listens. */
export const EventTypeDrawer = () => {
  const { t } = useTranslation('event-types')
  const { data: type, error } = useQuery(typeOf(useParam('name')))
  const saving = useSend('patch', '/api/v1/event_types/{name}')
  const queries = useQueryClient()
  if (type === undefined) return <Drawer closeTo="/event_types" title={undefined} error={error} />
  return (
    <Drawer
      closeTo="/event_types"
      title={t(type.is_active ? 'sentence.on' : 'sentence.off', { name: type.name })}
      about={<Listeners name={type.name} />}
      actions={<Actions type={type} />}
    >
      <EventTypeForm
        key={type.modified_date}
        type={type}
        isPending={saving.isPending}
        error={saving.error}
        save={({ name: _name, ...body }) =>
          saving.mutate(
            { path: { name: type.name }, body },
            {
              onSuccess: (saved) => {
                queries.setQueryData(typeOf(type.name).queryKey, saved)
                toastDone(t('saved'))
              },
              onError: (failed) => {
                if (Object.keys(failed.fields).length === 0) toastFailed(failed)
              },
            },
          )
        }
      />
    </Drawer>
  )
}

const Listeners = ({ name }: { readonly name: string }) => {
  const { t } = useTranslation('event-types')
  const { data } = useQuery(listenersOf(name))
  return data === undefined ? null : t('listeners', { count: data.total })
}

const Actions = ({ type }: { readonly type: EventType }) => {
  const { name, description, schema, example, is_active: isActive } = type
  const { t } = useTranslation('event-types')
  const { data: listeners } = useQuery(listenersOf(name))
  const changing = useSend('patch', '/api/v1/event_types/{name}')
  const removing = useSend('delete', '/api/v1/event_types/{name}')
  const making = useSend('post', '/api/v1/event_types')
  const go = useGo()
  const set = (next: boolean, done: () => void): void =>
    changing.mutate({ path: { name }, body: { is_active: next } }, { onSuccess: done, onError: toastFailed })
  const undo = (): void => set(isActive, () => toastDone(t(isActive ? 'is_on' : 'is_off')))
  const bringBack = (): void =>
    making.mutate(
      { body: { name, description, schema, example, is_active: isActive } },
      { onSuccess: () => toastDone(t('back', { name })), onError: toastFailed },
    )
  const remove = (): void =>
    removing.mutate(
      { path: { name } },
      {
        onSuccess: () => {
          go.replace('/event_types')
          toastDone(t('removed', { name }), bringBack)
        },
        onError: toastFailed,
      },
    )
  const count = listeners?.total ?? 0
  return (
    <>
      <Action
        loading={changing.isPending}
        onClick={() => set(!isActive, () => toastDone(t(isActive ? 'is_off' : 'is_on'), undo))}
      >
        {t(isActive ? 'switch_off' : 'switch_on')}
      </Action>
      <Action loading={removing.isPending} off={count > 0 ? t('named', { count }) : undefined} onClick={remove}>
        {t('remove')}
      </Action>
    </>
  )
}
