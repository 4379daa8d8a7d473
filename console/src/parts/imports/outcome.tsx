import { useTranslation } from 'react-i18next'
import { Action } from '#ui/action.tsx'
import { Notice } from '#ui/notice.tsx'
import { formatList } from '#ui/texts/format.ts'
import type { ImportResult, ImportState } from './use-import.ts'

interface OutcomeProps {
  readonly state: ImportState
  readonly check: () => void
  readonly load: () => void
}

/** What would become of the rows or became of them, and the next thing to do. */
export const Outcome = ({ state, check, load }: OutcomeProps) => {
  const { result, error, isSending, isChanged } = state
  return (
    <div className="stack" aria-live="polite" aria-busy={isSending}>
      {error !== undefined && <Refusal error={error} />}
      {result !== undefined && <Counts result={result} isChanged={isChanged} />}
      <div className="flex wrap">
        <Actions result={result} isChanged={isChanged} isSending={isSending} check={check} load={load} />
      </div>
    </div>
  )
}

/** Why the table as a whole was not taken: its header, its size, or that it is none. */
const Refusal = ({ error }: { readonly error: NonNullable<ImportState['error']> }) => {
  const { t } = useTranslation('imports')
  const fields = Object.entries(error.fields)
  return (
    <Notice outcome="bad" title={t('refused')}>
      {fields.length === 0 ? (
        <p>{error.message}</p>
      ) : (
        <dl className="facts">
          {fields.map(([name, words]) => (
            <div key={name} style={{ display: 'contents' }}>
              <dt className="mono">{name}</dt>
              <dd>{words}</dd>
            </div>
          ))}
        </dl>
      )}
    </Notice>
  )
}

const Counts = ({ result, isChanged }: { readonly result: ImportResult; readonly isChanged: boolean }) => {
  const { t } = useTranslation('imports')
  const { dry_run: isDryRun, created, updated, unchanged, failed } = result
  const tense = isDryRun ? 'would' : 'did'
  const parts = [
    ...(created > 0 ? [t(`${tense}.create`, { count: created })] : []),
    ...(updated > 0 ? [t(`${tense}.change`, { count: updated })] : []),
    ...(unchanged > 0 ? [t(`${tense}.keep`, { count: unchanged })] : []),
    ...(failed > 0 ? [t(`${tense}.fail`, { count: failed })] : []),
  ]
  if (isChanged) return <Notice outcome="wait" title={t('changed')} />
  return (
    <Notice outcome={failed > 0 ? 'wait' : 'ok'} title={parts.length === 0 ? t('no_rows') : `${formatList(parts)}.`}>
      {isDryRun && <p>{t('nothing_written')}</p>}
      {result.errors.length >= maxErrors && <p>{t('first_errors', { count: maxErrors })}</p>}
    </Notice>
  )
}

/** The server tells no more than so many errors of a table. */
const maxErrors = 1_000

interface ActionsProps extends Omit<OutcomeProps, 'state'>, Pick<ImportState, 'result' | 'isChanged' | 'isSending'> {}

const Actions = ({ result, isChanged, isSending, check, load }: ActionsProps) => {
  const { t } = useTranslation('imports')
  if (isChanged || result === undefined)
    return (
      <Action main loading={isSending} off={isChanged ? undefined : t('off.refused')} onClick={check}>
        {t('check')}
      </Action>
    )
  if (!result.dry_run) return null
  const { created, updated, failed } = result
  const count = created + updated
  return (
    <Action main loading={isSending} off={count === 0 ? t('off.nothing') : undefined} onClick={load}>
      {t(failed > 0 ? 'load_right' : 'load', { count })}
    </Action>
  )
}
