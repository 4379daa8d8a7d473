import { useTranslation } from 'react-i18next'
import { Link } from '#ui/link.tsx'
import { Page } from '#ui/page.tsx'
import { Unsaved } from '#ui/unsaved.tsx'
import { ChooseFile, type ImportColumns } from './choose-file.tsx'
import { Outcome } from './outcome.tsx'
import { RowsTable } from './rows-table.tsx'
import { useImport, type Importing, type ImportPath, type ImportState } from './use-import.ts'

interface ImportScreenProps {
  readonly path: ImportPath
  readonly title: string
  /** What a row is, and what tells it from the others. */
  readonly about: string
  /** The list of what is loaded. */
  readonly list: { readonly to: string; readonly text: string }
  readonly columns: ImportColumns
}

/** Loads many records from a table: what would become of each row is told first, and wrong cells are mended where they stand. */
export const ImportScreen = ({ path, title, about, list, columns }: ImportScreenProps) => {
  const importing = useImport(path)
  return (
    <Page
      title={title}
      about={
        <>
          {about} <Link to={list.to}>{list.text}</Link>
        </>
      }
    >
      <ChooseFile columns={columns} choose={importing.choose} fileName={importing.state?.file.name} />
      {importing.state !== undefined && <Chosen importing={importing} state={importing.state} />}
    </Page>
  )
}

interface ChosenProps {
  readonly importing: Importing
  readonly state: ImportState
}

const Chosen = ({ importing: { check, load, change }, state }: ChosenProps) => {
  const { t } = useTranslation('imports')
  const { table, result, mended } = state
  return (
    <>
      <Outcome state={state} check={check} load={load} />
      {table === undefined ? (
        <p className="muted">{t('unreadable')}</p>
      ) : (
        <RowsTable key={state.place} table={table} result={result} mended={mended} change={change} />
      )}
      <Unsaved changes={mended.size} />
    </>
  )
}
