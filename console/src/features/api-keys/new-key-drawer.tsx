import { Checkbox, Select, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { CopyText } from '#ui/copy.tsx'
import { Drawer } from '#ui/drawer.tsx'
import { FormEnd } from '#ui/form-end.tsx'
import { showErrors } from '#ui/show-errors.ts'
import { Notice } from '#ui/notice.tsx'

type Scope = NonNullable<Schema<'NewApiKey'>['scopes']>[number]

const scopes = [
  'events:write',
  'hooks:read',
  'hooks:write',
  'order-management:read',
  'order-management:write',
  'error-reports:read',
  'error-reports:write',
  'quotations:read',
  'quotations:write',
  'projects:read',
  'projects:write',
] as const satisfies readonly Scope[]

const lifetimes = ['30', '90', '365', 'never'] as const
const dayMs = 86_400_000

interface KeyForm {
  readonly name: string
  readonly isLimited: boolean
  readonly scopes: Scope[]
  readonly days: (typeof lifetimes)[number]
}

const empty: KeyForm = { name: '', isLimited: true, scopes: [], days: '90' }

const toBody = ({ name, isLimited, scopes: chosen, days }: KeyForm) => ({
  name,
  scopes: isLimited ? chosen : null,
  expires_at: days === 'never' ? null : new Date(Date.now() + Number(days) * dayMs).toISOString(),
})

/** Makes a key, and shows it once. */
export const NewKeyDrawer = () => {
  const { t } = useTranslation('api-keys')
  const making = useSend('post', '/api/v1/auth/api-keys')
  const form = useForm({
    initialValues: empty,
    validate: { scopes: (chosen, { isLimited }) => (isLimited && chosen.length === 0 ? t('no_scope') : null) },
  })
  if (making.data !== undefined) return <Made name={making.data.name} secret={making.data.key} />
  return (
    <Drawer closeTo="/api_keys" title={t('new')} about={t('new_about')}>
      <form
        className="stack"
        onSubmit={form.onSubmit((values) => making.mutate({ body: toBody(values) }, { onError: showErrors(form) }))}
      >
        <TextInput
          label={t('field.name')}
          description={t('name_why')}
          required
          maxLength={100}
          {...form.getInputProps('name')}
        />
        <Checkbox label={t('limited')} {...form.getInputProps('isLimited', { type: 'checkbox' })} />
        {form.values.isLimited ? (
          <Checkbox.Group label={t('field.scopes')} {...form.getInputProps('scopes')}>
            <div className="stack" style={{ gap: 6, marginTop: 6 }}>
              {scopes.map((scope) => (
                <Checkbox
                  key={scope}
                  value={scope}
                  label={t(`scope.${scope}`, { nsSeparator: false })}
                  description={scope}
                />
              ))}
            </div>
          </Checkbox.Group>
        ) : (
          <p className="muted">{t('unlimited')}</p>
        )}
        <Select
          label={t('field.expires_at')}
          allowDeselect={false}
          data={lifetimes.map((value) => ({ value, label: t(`lifetime.${value}`) }))}
          {...form.getInputProps('days')}
        />
        <FormEnd form={form} submit={t('make')} loading={making.isPending} />
      </form>
    </Drawer>
  )
}

interface MadeProps {
  readonly name: string
  readonly secret: string
}

const Made = ({ name, secret }: MadeProps) => {
  const { t } = useTranslation('api-keys')
  return (
    <Drawer closeTo="/api_keys" title={t('made', { name })} about={t('made_about')}>
      <Notice title={t('once')}>
        <pre>{secret}</pre>
        <CopyText text={secret} label={t('copy')} />
      </Notice>
      <pre>{`curl -sS '${location.origin}/api/v1/auth/me' \\\n  -H "Authorization: Api-Key $WAYBILL_KEY"`}</pre>
    </Drawer>
  )
}
