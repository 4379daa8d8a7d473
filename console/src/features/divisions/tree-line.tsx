import type { KeyboardEventHandler } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from '#ui/link.tsx'
import { Status } from '#ui/status.tsx'
import { formatAmount } from '#ui/texts/format.ts'
import { Limit } from './limit.tsx'
import type { Division } from './division-list.ts'
import type { Branch } from './tree.ts'
import classes from './divisions.module.css'

interface TreeLineProps {
  readonly line: Branch
  readonly isFolded: boolean
  /** Whether its details are open. */
  readonly isOpen: boolean
  /** Whether Tab stops here: at one line of the tree. */
  readonly isStop: boolean
  readonly reached: (id: number) => void
  readonly turn: (id: number) => void
  readonly open: (division: Division) => void
  readonly press: KeyboardEventHandler
}

/** One division of the tree. */
export const TreeLine = ({ line, isFolded, isOpen, isStop, reached, turn, open, press }: TreeLineProps) => {
  const { t } = useTranslation('divisions')
  const { division, level, place, siblings, children } = line
  const path = `/divisions/${division.id}`
  const { id, name, is_active: isActive, erp_code: code, current_balance: balance } = division
  return (
    <tr
      aria-level={level}
      aria-posinset={place}
      aria-setsize={siblings}
      {...(children > 0 && { 'aria-expanded': !isFolded })}
      tabIndex={isStop ? 0 : -1}
      data-row-link={path}
      data-open={isOpen || undefined}
      onFocus={() => reached(id)}
      onKeyDown={press}
      onClick={(event) => {
        if (event.target instanceof Element && event.target.closest('a,button') === null) open(division)
      }}
    >
      <td>
        <span className={classes['name']} style={{ paddingInlineStart: (level - 1) * 18 }}>
          {children > 0 ? (
            <button
              type="button"
              className={classes['fold']}
              tabIndex={-1}
              aria-label={t(isFolded ? 'unfold' : 'fold', { name })}
              onClick={() => turn(id)}
            >
              <span aria-hidden="true" data-folded={isFolded || undefined}>
                ›
              </span>
            </button>
          ) : (
            <span className={classes['fold']} />
          )}
          <Link to={path} keepSearch tabIndex={-1} className={level === 1 ? 'strong' : ''}>
            {name}
          </Link>
          {!isActive && <Status outcome="idle">{t('inactive')}</Status>}
          {isFolded && children > 0 && <span className="muted small">{t('branches', { count: children })}</span>}
        </span>
      </td>
      <td className="wide">{code === '' ? <span className="muted">–</span> : <code>{code}</code>}</td>
      <td className={classes['wide']}>
        <Limit division={division} />
      </td>
      <td className={`num ${classes['wide']}`}>{formatAmount(balance)}</td>
    </tr>
  )
}
