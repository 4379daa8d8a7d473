import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Time } from '#ui/time.tsx'
import { Person } from './person.tsx'
import classes from './fulfilment.module.css'

export interface Happened {
  readonly at: string
  readonly what: string
  /** null: it happened by itself, when its time had come. */
  readonly actor: number | null
  /** The name of the actor, where it is known. */
  readonly name?: string | undefined
  readonly detail?: ReactNode
}

/** What was done, by whom, the newest first. */
export const Timeline = ({ title, happened }: { readonly title: string; readonly happened: readonly Happened[] }) => {
  const { t } = useTranslation('fulfilment')
  return (
    <section className="stack">
      <h3>{title}</h3>
      <ol className={classes['timeline']} reversed>
        {happened.toReversed().map(({ at, what, actor, name, detail }, index) => (
          <li key={`${at} ${happened.length - index}`}>
            <span className="muted">
              <Time at={at} as="log" />
            </span>
            <span>
              {what}
              {Boolean(detail) && <span className="muted"> · {detail}</span>}
              {actor !== null && (
                <span className="muted">
                  {' · '}
                  <Person id={actor} name={name} fallback={t('user', { id: actor })} />
                </span>
              )}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
