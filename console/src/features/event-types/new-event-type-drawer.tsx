import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Drawer } from '#ui/drawer.tsx'
import { useGo } from '#ui/go.ts'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import { EventTypeForm } from './event-type-form.tsx'

/** Makes a type of events. */
export const NewEventTypeDrawer = () => {
  const { t } = useTranslation('event-types')
  const making = useSend('post', '/api/v1/event_types')
  const go = useGo()
  return (
    <Drawer closeTo="/event_types" title={t('new.title')} about={t('new.about')}>
      <EventTypeForm
        isPending={making.isPending}
        error={making.error}
        save={(body) =>
          making.mutate(
            { body },
            {
              onSuccess: ({ name }) => {
                toastDone(t('new.done', { name }))
                go.replace(`/event_types/${name}`)
              },
              onError: (error) => {
                if (Object.keys(error.fields).length === 0) toastFailed(error)
              },
            },
          )
        }
      />
    </Drawer>
  )
}
