import { Select } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatClock, formatDuration } from '#ui/texts/format.ts'
import type { Attempt, Headers } from './attempt.ts'
import { endingWord } from './ending.ts'
import { lineDiff } from './line-diff.ts'
import classes from './delivery.module.css'

interface CompareProps {
  readonly attempts: readonly Attempt[]
  readonly chosen: Attempt
}

/** The chosen attempt against another one, the one before it at first: what came and went between the two. */
export const Compare = ({ attempts, chosen }: CompareProps) => {
  const { t } = useTranslation('delivery')
  const others = attempts.filter(({ number }) => number !== chosen.number)
  const usual = others.findLast(({ number }) => number < chosen.number) ?? others[0]
  const [wanted, setWanted] = useState<number>()
  const other = others.find(({ number }) => number === wanted) ?? usual
  if (other === undefined) return null
  const name = (attempt: Attempt): string =>
    t('attempt_name', {
      number: attempt.number,
      time: formatClock(new Date(attempt.startedAt)),
      ending: endingWord(attempt, t),
    })
  return (
    <>
      <Select
        label={t('compare_with')}
        data={others.map((attempt) => ({ value: String(attempt.number), label: name(attempt) }))}
        value={String(other.number)}
        onChange={(value) => setWanted(Number(value))}
        allowDeselect={false}
      />
      <p className="small muted">{t('same_body')}</p>
      <Part title={t('facts')} before={factsOf(other, t)} after={factsOf(chosen, t)} />
      <Part
        title={t('request_headers')}
        before={linesOf(other.requestHeaders)}
        after={linesOf(chosen.requestHeaders)}
      />
      <Part
        title={t('response_headers')}
        before={linesOf(other.responseHeaders)}
        after={linesOf(chosen.responseHeaders)}
      />
      <Part title={t('response_body')} before={bodyLines(other.responseBody)} after={bodyLines(chosen.responseBody)} />
    </>
  )
}

interface PartProps {
  readonly title: string
  readonly before: readonly string[]
  readonly after: readonly string[]
}

const marks = { both: ' ', before: '−', after: '+' } as const

const Part = ({ title, before, after }: PartProps) => {
  const { t } = useTranslation('delivery')
  const lines = useMemo(() => lineDiff(before, after), [before, after])
  const isSame = lines.every(({ side }) => side === 'both')
  return (
    <section>
      <h3>{title}</h3>
      {isSame ? (
        <p className="muted">{t(lines.length === 0 ? 'both_none' : 'same')}</p>
      ) : (
        <pre className={classes['diff']}>
          {lines.map(({ side, text }, index) => (
            <div key={index} data-side={side}>
              {`${marks[side]} ${text}`}
            </div>
          ))}
        </pre>
      )}
    </section>
  )
}

const linesOf = (headers: Headers | null): readonly string[] =>
  Object.entries(headers ?? {})
    .map(([name, value]) => `${name}: ${value}`)
    .toSorted()

const phases = ['dns', 'connect', 'tls', 'firstByte'] as const

/** What came of an attempt, one fact a line; what it does not have is left out. */
const factsOf = ({ status, reason, durationMs, address, timing }: Attempt, t: TFunction): readonly string[] => {
  const facts: readonly (readonly [string, string | null])[] = [
    [t('fact.status'), status === null ? null : `HTTP ${status}`],
    [t('fact.reason'), reason === null ? null : t(`word.${reason}`, { defaultValue: reason })],
    [t('fact.duration'), durationMs === null ? null : formatDuration(durationMs)],
    [t('fact.address'), address],
    ...phases.map(
      (phase) => [t(`phase.${phase}`), timing[phase] === null ? null : formatDuration(timing[phase])] as const,
    ),
  ]
  return facts.flatMap(([name, value]) => (value === null ? [] : `${name}: ${value}`))
}

/** JSON in lines of one value each, so that the values that differ stand alone. */
const bodyLines = (body: string | null): readonly string[] => {
  if (body === null || body === '') return []
  try {
    return JSON.stringify(JSON.parse(body), null, 2).split('\n')
  } catch {
    return body.split('\n')
  }
}
