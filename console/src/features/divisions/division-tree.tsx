import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { TreeLine } from './tree-line.tsx'
import type { Division } from './division-list.ts'
import { byName, linesOf, stepOf } from './tree.ts'
import classes from './divisions.module.css'

/** What ARIA has for a tree of several columns. */
const treegrid = { role: 'treegrid' }

/** Of more divisions than these only the companies are shown at first, folded. */
const openAtFirst = 200

/** Which branches are folded, and which line of the tree the keys begin from. */
const useTree = (divisions: readonly Division[]) => {
  /** Those that are not as they were at first. */
  const [turned, setTurned] = useState<ReadonlySet<number>>(new Set())
  const [last, reach] = useState<number>()
  const isFolded = (id: number): boolean => turned.has(id) !== divisions.length > openAtFirst
  const lines = linesOf(divisions, isFolded)
  const found = lines.findIndex(({ division }) => division.id === last)
  const turn = (id: number): void => setTurned((before) => before.symmetricDifference(new Set([id])))
  return { lines, at: Math.max(0, found), isFolded, turn, reach }
}

/** Divisions as a tree: the arrows walk, fold and unfold it, Enter opens the details. */
export const DivisionTree = ({ divisions }: { readonly divisions: readonly Division[] }) => {
  const { t, i18n } = useTranslation('divisions')
  const navigate = useNavigate()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const table = useRef<HTMLTableElement>(null)
  const { lines, at, isFolded, turn, reach } = useTree(
    useMemo(() => byName(divisions, i18n.language), [divisions, i18n.language]),
  )
  const open = (division: Division): void => void navigate({ to: `/divisions/${division.id}`, search: true })
  const press = (event: KeyboardEvent): void => {
    // Links and buttons of a line have keys of their own.
    const isLine = event.target === event.currentTarget
    const line = lines[at]
    if (!isLine || line === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    if (event.key === 'Enter') open(line.division)
    const step = stepOf(event.key, lines, at, isFolded)
    if (step === undefined) return
    event.preventDefault()
    if ('fold' in step) turn(step.fold)
    else table.current?.querySelectorAll<HTMLElement>('[data-row-link]')[step.go]?.focus()
  }
  return (
    <div className={classes['box']}>
      <table className={`table ${classes['tree']}`} {...treegrid} aria-label={t('title')} ref={table}>
        <Head />
        <tbody>
          {lines.map((line, index) => (
            <TreeLine
              key={line.division.id}
              line={line}
              isFolded={isFolded(line.division.id)}
              isOpen={path === `/divisions/${line.division.id}`}
              isStop={index === at}
              reached={reach}
              turn={turn}
              open={open}
              press={press}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

const Head = () => {
  const { t } = useTranslation('divisions')
  return (
    <thead>
      <tr>
        <th scope="col">{t('field.name')}</th>
        <th scope="col" className="wide">
          {t('field.erp_code')}
        </th>
        <th scope="col" className={classes['wide']}>
          {t('field.limit')}
        </th>
        <th scope="col" className={`num ${classes['wide']}`}>
          {t('field.balance')}
        </th>
      </tr>
    </thead>
  )
}
