import { CopyButton, Tooltip, UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './copy.module.css'

interface IdentProps {
  /** The whole id; it is what is copied. */
  readonly id: string | number
  /** How many of its first and last characters are shown; the whole when it is not much longer. */
  readonly keep?: number
}

/** An id, short; a press copies the whole. */
export const Ident = ({ id, keep = 6 }: IdentProps) => {
  const { t } = useTranslation('texts')
  const text = String(id)
  const short = text.length <= keep * 2 + 2 ? text : `${text.slice(0, keep)}…${text.slice(-keep)}`
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t('copied') : t('copy_whole', { text })}>
          <UnstyledButton
            className={`${classes['ident']} mono`}
            onClick={copy}
            aria-label={`${short}, ${t('copy_whole', { text })}`}
          >
            {short}
          </UnstyledButton>
        </Tooltip>
      )}
    </CopyButton>
  )
}

interface CopyTextProps {
  readonly text: string
  /** What is copied, as the button says it; "Copy" by default. */
  readonly label?: string
}

/** A quiet button that copies a text and says that it did. */
export const CopyText = ({ text, label }: CopyTextProps) => {
  const { t } = useTranslation('texts')
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <UnstyledButton className={classes['copy']} onClick={copy}>
          <span aria-live="polite">{copied ? t('copied') : (label ?? t('copy'))}</span>
        </UnstyledButton>
      )}
    </CopyButton>
  )
}
