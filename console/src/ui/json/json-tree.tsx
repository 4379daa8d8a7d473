import { useMemo, useRef, useState, type CSSProperties, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Action } from '#ui/action.tsx'
import { firstOpen, isFoldable, longText, rowsOf, type JsonRow } from './json-rows.ts'
import classes from './json-view.module.css'

/** Rows that are drawn at once; a page stays quick with some hundreds. */
const rowsAtOnce = 400

interface JsonTreeProps {
  readonly value: unknown
  readonly label: string
}

/** A JSON value as a tree that is folded and unfolded by pointer, or by the arrow keys as trees have them. */
export const JsonTree = ({ value, label }: JsonTreeProps) => {
  const { t } = useTranslation('texts')
  const [open, setOpen] = useState(() => firstOpen(value))
  const [at, setAt] = useState('')
  const [most, setMost] = useState(rowsAtOnce)
  const box = useRef<HTMLDivElement>(null)
  const rows = useMemo(() => rowsOf(value, open), [value, open])
  const shown = rows.slice(0, most)
  const toggle = ({ path }: JsonRow): void => setOpen(toggled(open, path))
  const onKeyDown = (event: KeyboardEvent): void => {
    const index = shown.findIndex(({ path }) => path === at)
    const row = shown[index]
    if (row === undefined) return
    const move = moves[event.key]?.(shown, index)
    if (move === undefined) return
    event.preventDefault()
    if (move === 'toggle') return toggle(row)
    setAt(move.path)
    box.current?.querySelector<HTMLElement>(`[data-path="${CSS.escape(move.path)}"]`)?.focus()
  }
  return (
    <>
      <div role="tree" aria-label={label} className={classes['tree']} ref={box} tabIndex={-1} onKeyDown={onKeyDown}>
        {shown.map((row) => (
          <TreeRow
            key={row.path}
            row={row}
            isAt={row.path === at}
            onPress={() => {
              setAt(row.path)
              if (isFoldable(row)) toggle(row)
            }}
          />
        ))}
      </div>
      {rows.length > most && (
        <div className={classes['more']}>
          <Action variant="subtle" onClick={() => setMost(most + 4 * rowsAtOnce)}>
            {t('json.more', { count: rows.length - most })}
          </Action>
        </div>
      )}
    </>
  )
}

const toggled = (open: ReadonlySet<string>, path: string): ReadonlySet<string> =>
  open.has(path) ? new Set([...open].filter((one) => one !== path)) : new Set([...open, path])

type Move = (rows: readonly JsonRow[], index: number) => JsonRow | 'toggle' | undefined

const foldedOr = (isOpen: boolean, other: Move): Move => {
  return (rows, index) => {
    const row = rows[index]
    return row !== undefined && isFoldable(row) && row.isOpen === isOpen ? 'toggle' : other(rows, index)
  }
}

/** What keys do in a tree (WAI-ARIA practices). */
const moves: Readonly<Record<string, Move>> = {
  ArrowDown: (rows, index) => rows[index + 1],
  ArrowUp: (rows, index) => rows[index - 1],
  ArrowRight: foldedOr(false, (rows, index) => {
    const row = rows[index]
    return row?.size === undefined ? undefined : rows[index + 1]
  }),
  ArrowLeft: foldedOr(true, (rows, index) => {
    const depth = rows[index]?.depth ?? 0
    return rows.slice(0, index).findLast((row) => row.depth < depth)
  }),
  Home: (rows) => rows[0],
  End: (rows) => rows.at(-1),
  Enter: (rows, index) => (rows[index] !== undefined && isFoldable(rows[index]) ? 'toggle' : undefined),
  ' ': (rows, index) => (rows[index] !== undefined && isFoldable(rows[index]) ? 'toggle' : undefined),
}

interface TreeRowProps {
  readonly row: JsonRow
  readonly isAt: boolean
  readonly onPress: () => void
}

const TreeRow = ({ row, isAt, onPress }: TreeRowProps) => {
  const foldable = isFoldable(row)
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- The tree around it takes the keys.
    <div
      role="treeitem"
      aria-level={row.depth + 1}
      aria-expanded={foldable ? row.isOpen : undefined}
      aria-selected={isAt}
      tabIndex={isAt ? 0 : -1}
      data-path={row.path}
      data-foldable={foldable || undefined}
      className={classes['row']}
      style={{ '--depth': row.depth } as CSSProperties}
      onClick={onPress}
    >
      <span className={classes['mark']} aria-hidden="true">
        {foldable && (row.isOpen ? '▾' : '▸')}
      </span>
      {row.name !== undefined && <span className={classes['name']}>{row.name}: </span>}
      <Value row={row} />
    </div>
  )
}

const Value = ({ row: { value, size, isOpen } }: { readonly row: JsonRow }) => {
  const { t } = useTranslation('texts')
  if (size !== undefined) {
    const [begin, end] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
    if (size === 0) return <span>{`${begin}${end}`}</span>
    if (isOpen) return <span className={classes['name']}>{begin}</span>
    return <span className={classes['name']}>{`${begin} ${t('json.items', { count: size })} ${end}`}</span>
  }
  if (typeof value !== 'string') return <span className={classes['plain']}>{String(value)}</span>
  const isCut = value.length > longText && !isOpen
  return (
    <span className={classes['text']}>
      {JSON.stringify(isCut ? value.slice(0, longText) : value)}
      {isCut && '…'}
    </span>
  )
}
