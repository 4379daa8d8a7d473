import { useTranslation } from 'react-i18next'
import { useKey } from './use-key.ts'
import classes from './error-reports.module.css'

const line = [
  ['j', 'k', 'hint.reports'],
  ['J', 'K', 'hint.groups'],
  ['e', 'E', 'hint.close'],
  ['r', 'R', 'hint.retry'],
  ['m', undefined, 'hint.map'],
  ['a', undefined, 'hint.assign'],
  ['i', undefined, 'hint.ignore'],
  ['u', undefined, 'hint.undo'],
] as const

/** What the keys do here; `?` lists them too. */
export const Keys = ({ hasPlace }: { readonly hasPlace: boolean }) => {
  const { t } = useTranslation('error-reports')
  return (
    <div className={classes['keys']}>
      {line
        .filter(([key]) => key !== 'm' || hasPlace)
        .map(([one, other, text]) => (
          <span key={one}>
            <kbd>{one}</kbd> {other !== undefined && <kbd>{other}</kbd>} {t(text)}
          </span>
        ))}
    </div>
  )
}

/** The keys of a cause and what each does. `J` and `K` are those of the list, and work always. */
const ofCause = [
  ['j', 'error-reports:keys.next_report'],
  ['k', 'error-reports:keys.previous_report'],
  ['e', 'error-reports:keys.close'],
  ['E', 'error-reports:keys.close_all'],
  ['r', 'error-reports:keys.retry'],
  ['R', 'error-reports:keys.retry_all'],
  ['m', 'error-reports:keys.map'],
  ['a', 'error-reports:keys.assign'],
  ['i', 'error-reports:keys.ignore'],
] as const

/** While no cause is open: `?` lists the keys already, and each says that one has to be opened first. */
export const KeysBeforeChoice = () => ofCause.map(([keys, text]) => <Waiting key={keys} keys={keys} text={text} />)

const Waiting = ({ keys, text }: { readonly keys: string; readonly text: string }) => {
  const { t } = useTranslation('error-reports')
  useKey(keys, text, t('off.no_cause'), () => undefined)
  return null
}
