import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { useGo } from '#ui/go.ts'
import { Page } from '#ui/page.tsx'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import { useParam } from '#ui/use-params.ts'
import classes from '../hook/hook.module.css'
import { WebhookForm } from './webhook-form.tsx'

const collection = '/api/v1/organizations/{organizationId}/projects/{projectId}/settings/webhooks'

/** Makes a webhook of a project. */
export const NewWebhookScreen = () => {
  const { t } = useTranslation('subscriptions')
  const path = { organizationId: useParam('organizationId'), projectId: useParam('projectId') }
  const making = useSend('post', collection)
  const go = useGo()
  const up = `/organizations/${path.organizationId}/projects/${path.projectId}`
  return (
    <Page title={t('webhook.new_title')} about={t('webhook.new_about')}>
      <div className={classes['form']}>
        <WebhookForm
          isPending={making.isPending}
          errors={making.error?.fields ?? {}}
          submit={t('webhook.new_submit')}
          cancel={() => go.push(up)}
          save={(body) =>
            making.mutate(
              { path, body },
              {
                onSuccess: () => {
                  toastDone(t('webhook.made', { name: body.name }))
                  go.replace(up)
                },
                onError: (error) => {
                  if (Object.keys(error.fields).length === 0) toastFailed(error)
                },
              },
            )
          }
        />
      </div>
    </Page>
  )
}
