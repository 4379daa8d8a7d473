import { Checkbox, NumberInput, Select, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { errorOf, type PartProps } from './form-part.ts'
import classes from './hook.module.css'

/** Where to: the server checks the address when it is saved. */
export const UrlPart = ({ form, change, errors }: PartProps) => {
  const { t } = useTranslation('subscriptions')
  return (
    <TextInput
      label={t('url.label')}
      description={t('url.hint')}
      placeholder="https://example.com/hooks"
      type="url"
      inputMode="url"
      required
      value={form.url}
      error={errorOf(errors, 'target_url')}
      onChange={(event) => change({ url: event.currentTarget.value })}
    />
  )
}

/** In which order, how fast, in which envelope and how signed. */
export const SendingPart = ({ form, change }: PartProps) => {
  const { t } = useTranslation('subscriptions')
  return (
    <div className="stack">
      <Checkbox
        label={t('sending.ordered')}
        description={t('sending.ordered_why')}
        checked={form.isOrdered}
        onChange={(event) => change({ isOrdered: event.currentTarget.checked })}
      />
      <div className={classes['fields']}>
        <NumberInput
          label={t('sending.per_second')}
          placeholder={t('sending.unlimited')}
          min={0.1}
          max={10_000}
          value={form.perSecond ?? ''}
          onChange={(next) => change({ perSecond: next === '' ? undefined : Number(next), burst: undefined })}
        />
        <Select
          label={t('sending.format')}
          allowDeselect={false}
          data={(['original', 'standard'] as const).map((value) => ({ value, label: t(`sending.formats.${value}`) }))}
          value={form.format}
          onChange={(next) => change({ format: next === 'standard' ? 'standard' : 'original' })}
        />
        <Select
          label={t('sending.signature')}
          allowDeselect={false}
          data={(['v1', 'v1a'] as const).map((value) => ({ value, label: t(`sending.signatures.${value}`) }))}
          value={form.signature}
          onChange={(next) => change({ signature: next === 'v1a' ? 'v1a' : 'v1' })}
        />
      </div>
      <pre>{envelopes[form.format]}</pre>
    </div>
  )
}

const envelopes = {
  original: '{"event": {"type": "package.created", "uuid": "…"}, "payload": {…}}',
  standard: '{"type": "package.created", "timestamp": "…", "data": {…}}',
} as const
