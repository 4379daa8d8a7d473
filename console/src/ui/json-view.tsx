import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Action } from './action.tsx'
import { CopyText } from './copy.tsx'
import { JsonTree } from './json/json-tree.tsx'
import { formatBytes } from './texts/format.ts'
import classes from './json/json-view.module.css'

/** How much of a body is drawn as it was sent, until somebody asks for the rest. */
const cutAt = 16 * 1_024

interface JsonViewProps {
  /** The body as it was sent; whatever is no JSON is shown as text. */
  readonly text: string
  /** What it is, for assistive technology: "Body of the request". */
  readonly label: string
}

/** A body: JSON folded, or anything as it was sent. */
export const JsonView = ({ text, label }: JsonViewProps) => {
  const { t } = useTranslation('texts')
  const parsed = useMemo(() => parse(text), [text])
  const bytes = useMemo(() => new Blob([text]).size, [text])
  const [isRaw, setRaw] = useState(false)
  const canFold = parsed !== undefined
  return (
    <div className={classes['box']}>
      <div className={classes['head']}>
        <div className={classes['ways']} role="group" aria-label={label}>
          {canFold && <Way text={t('json.folded')} isOn={!isRaw} choose={() => setRaw(false)} />}
          <Way text={t('json.raw')} isOn={isRaw || !canFold} choose={() => setRaw(true)} />
        </div>
        <span className="small muted">
          {formatBytes(bytes)} <CopyText text={text} />
        </span>
      </div>
      {canFold && !isRaw ? (
        <JsonTree key={text} value={parsed.value} label={label} />
      ) : (
        <RawText key={text} text={text} label={label} />
      )}
    </div>
  )
}

interface WayProps {
  readonly text: string
  readonly isOn: boolean
  readonly choose: () => void
}

const Way = ({ text, isOn, choose }: WayProps) => (
  <button type="button" className={classes['way']} aria-pressed={isOn} onClick={choose}>
    {text}
  </button>
)

const RawText = ({ text, label }: JsonViewProps) => {
  const { t } = useTranslation('texts')
  const [isWhole, setWhole] = useState(text.length <= cutAt)
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- What scrolls has to be reached by keyboard. */}
      <pre className={classes['raw']} tabIndex={0} role="region" aria-label={label}>
        {isWhole ? text : text.slice(0, cutAt)}
      </pre>
      {!isWhole && (
        <div className={`${classes['more']} flex between small muted`}>
          {t('json.cut', { size: formatBytes(cutAt), whole: formatBytes(text.length) })}
          <Action variant="subtle" onClick={() => setWhole(true)}>
            {t('json.show_all')}
          </Action>
        </div>
      )}
    </>
  )
}

/** @returns undefined for what is not an object or array of JSON: a single number or text has nothing to fold. */
const parse = (text: string): { readonly value: unknown } | undefined => {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}
