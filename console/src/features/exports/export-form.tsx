import { Checkbox, Radio } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Action } from '#ui/action.tsx'
import { useGo } from '#ui/go.ts'
import { Notice } from '#ui/notice.tsx'
import { formatList } from '#ui/texts/format.ts'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import { formats, itemColumns, listColumns, rowKinds } from './columns.ts'
import { useExport, type Exporting, type Subject } from './use-export.ts'
import classes from './exports.module.css'

interface PartProps {
  readonly exporting: Exporting
}

/** Format, rows and columns of an export, with how many rows it will have. */
export const ExportForm = ({ subject }: { readonly subject: Subject }) => {
  const { t } = useTranslation('exports')
  const exporting = useExport(subject)
  const go = useGo()
  const { beginning } = exporting
  const send = (): void =>
    beginning.mutate(undefined, {
      onSuccess: () => {
        toastDone(t('begun'))
        go.replace('/exports')
      },
      onError: toastFailed,
    })
  return (
    <form
      className={classes['form']}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <FormatField exporting={exporting} />
      {subject.kind === 'quotations' && <RowsField exporting={exporting} />}
      <ColumnsField exporting={exporting} choice={subject.kind === 'items' ? itemColumns : listColumns} />
      <Submit exporting={exporting} />
    </form>
  )
}

const FormatField = ({ exporting: { values, change, able, rows } }: PartProps) => {
  const { t } = useTranslation('exports')
  const isTooSmall = !able.includes(values.format)
  return (
    <>
      <Radio.Group label={t('field.format')} value={values.format} onChange={(format) => change({ format })}>
        <div className={classes['choices']}>
          {formats.map((format) => (
            <Radio key={format} value={format} label={format} description={t(`format_why.${format}`)} />
          ))}
        </div>
      </Radio.Group>
      {isTooSmall && rows !== undefined && (
        <Notice outcome="bad" title={t('too_small', { format: values.format, count: rows })}>
          <p className="flex wrap">
            {t('able', { formats: formatList(able) })}
            {able.map((format) => (
              <Action key={format} onClick={() => change({ format })}>
                {t('take', { format })}
              </Action>
            ))}
          </p>
        </Notice>
      )}
    </>
  )
}

const RowsField = ({ exporting: { values, change } }: PartProps) => {
  const { t } = useTranslation('exports')
  return (
    <Radio.Group label={t('field.row_kind')} value={values.rows} onChange={(rows) => change({ rows })}>
      <div className={classes['choices']}>
        {rowKinds.map((kind) => (
          <Radio key={kind} value={kind} label={t(`row_kind.${kind}`)} description={t(`row_kind_why.${kind}`)} />
        ))}
      </div>
    </Radio.Group>
  )
}

interface ColumnsFieldProps extends PartProps {
  readonly choice: typeof listColumns
}

const ColumnsField = ({ exporting: { values, change }, choice }: ColumnsFieldProps) => {
  const { t } = useTranslation('exports')
  return (
    <Checkbox.Group
      label={t('field.fields')}
      value={[...values.fields]}
      // In the order of the file, whatever order they were chosen in.
      onChange={(chosen) => change({ fields: choice.all.filter((name) => chosen.includes(name)) })}
    >
      <div className={classes['columns']}>
        {choice.all.map((name) => (
          <Checkbox key={name} value={name} label={t(`column.${name}`)} />
        ))}
      </div>
    </Checkbox.Group>
  )
}

const Submit = ({ exporting: { values, able, rows, beginning } }: PartProps) => {
  const { t } = useTranslation('exports')
  const reasons = [
    values.fields.length === 0 && t('off.no_column'),
    rows === 0 && t('off.no_row'),
    !able.includes(values.format) && t('off.too_small', { format: values.format }),
  ]
  return (
    <div aria-live="polite">
      <Action
        main
        type="submit"
        loading={beginning.isPending}
        off={reasons.find((reason) => reason !== false) || undefined}
      >
        {rows === undefined ? t('begin') : t('begin_rows', { count: rows })}
      </Action>
    </div>
  )
}
