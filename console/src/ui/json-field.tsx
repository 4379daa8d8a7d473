import { Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface JsonFieldProps {
  readonly label: string
  readonly description?: string
  readonly value: string
  readonly onChange: (text: string) => void
  /** What the server said of it. */
  readonly error?: string | undefined
  readonly required?: boolean
  readonly minRows?: number
}

/** A field for an object of JSON, which says what is wrong with its text while it is written. */
export const JsonField = ({ value, error, onChange, minRows = 6, ...rest }: JsonFieldProps) => {
  const { t } = useTranslation('texts')
  const read = readJson(value)
  return (
    <Textarea
      {...rest}
      autosize
      minRows={minRows}
      maxRows={24}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mono)', fontSize: 12, lineHeight: '18px' } }}
      value={value}
      error={read.isWrong ? `${t('json.not_json')} ${read.why}` : error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

type Read =
  | { readonly isWrong: true; readonly why: string }
  | { readonly isWrong: false; readonly value: Record<string, unknown> | null }

/** The object that a text is; null for an empty text. */
export const readJson = (text: string): Read => {
  if (text.trim() === '') return { isWrong: false, value: null }
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return { isWrong: true, why: '{ … }' }
    return { isWrong: false, value: value as Record<string, unknown> }
  } catch (error) {
    return { isWrong: true, why: error instanceof Error ? error.message : '' }
  }
}

/** A value as the field shows it. */
export const writeJson = (value: unknown): string =>
  value === null || value === undefined ? '' : JSON.stringify(value, null, 2)
