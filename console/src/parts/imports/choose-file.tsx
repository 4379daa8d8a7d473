import { useTranslation } from 'react-i18next'
import { formatList } from '#ui/texts/format.ts'
import classes from './imports.module.css'

export interface ImportColumns {
  readonly required: readonly string[]
  readonly optional: readonly string[]
  /** A row that could be in the table, by column. */
  readonly example: Readonly<Record<string, string>>
}

interface ChooseFileProps {
  readonly columns: ImportColumns
  readonly choose: (file: File) => void
  readonly fileName: string | undefined
}

/** Takes a file by a press or dropped here, and says which columns it may have. */
export const ChooseFile = ({ columns, choose, fileName }: ChooseFileProps) => {
  const { t } = useTranslation('imports')
  return (
    <>
      <label className={classes['drop']}>
        <span className={classes['press']}>{t(fileName === undefined ? 'choose' : 'choose_other')}</span>{' '}
        <span className="muted">{fileName ?? t('or_drop')}</span>
        <input
          type="file"
          accept=".csv,text/csv"
          onChange={({ currentTarget: input }) => {
            const [file] = input.files ?? []
            // The same file can be chosen again, when it was mended.
            input.value = ''
            if (file !== undefined) choose(file)
          }}
        />
      </label>
      {fileName === undefined && <Columns columns={columns} />}
    </>
  )
}

const Columns = ({ columns: { required, optional, example } }: Pick<ChooseFileProps, 'columns'>) => {
  const { t } = useTranslation('imports')
  return (
    <div className="stack">
      <dl className="facts">
        <dt>{t('required')}</dt>
        <dd className="mono">{formatList(required)}</dd>
        <dt>{t('optional')}</dt>
        <dd className="mono">{formatList(optional)}</dd>
        <dt>{t('example')}</dt>
        <dd>
          <pre>{`${Object.keys(example).join(',')}\n${Object.values(example).join(',')}`}</pre>
        </dd>
      </dl>
      <p className="muted">{t('limits')}</p>
    </div>
  )
}
