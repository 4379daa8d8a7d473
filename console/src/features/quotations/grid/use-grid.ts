import { useState, type ClipboardEvent, type KeyboardEvent, type MouseEvent } from 'react'
import type { Draft } from '../draft/use-draft.ts'
import { applyChanges, type CellChange } from './cells.ts'
import { inside, moved, rangeOf, type Place, type Selection, type Size } from './selection.ts'
import type { Pasted, Sheet } from './sheet.ts'

/** A cell that somebody types into. */
export interface Editing {
  readonly at: Place
  readonly text: string
  /** It began with a character, so that arrows go on to the next cell; else they move within the text. */
  readonly isTyped: boolean
  readonly isWrong: boolean
}

interface GridOf {
  readonly draft: Pick<Draft, 'base' | 'off' | 'edit'>
  readonly sheet: Sheet
  readonly size: Size
  readonly told: (pasted: Pasted) => void
}

const start: Place = { row: 0, column: 0 }

/** The keys, the pointer and the clipboard of a grid of lines, as spreadsheets have them. */
export const useGrid = ({ draft, sheet, size, told }: GridOf) => {
  const { base, off, edit } = draft
  const [chosen, select] = useState<Selection>({ at: start, from: start })
  const selection = { at: inside(chosen.at, size), from: inside(chosen.from, size) }
  const change = (changes: readonly CellChange[]): void => {
    if (off === undefined && changes.length > 0) edit((edits) => applyChanges(base.terms, edits, changes))
  }
  const cell = useCell(sheet, off, change, (to) => {
    const at = inside(to, size)
    select({ at, from: at })
  })
  const clear = (): void => change(sheet.clear(rangeOf(selection)))
  const clipboard = {
    onCopy: (event: ClipboardEvent): void => {
      if (cell.editing !== undefined) return
      event.preventDefault()
      event.clipboardData.setData('text/plain', sheet.copy(rangeOf(selection)))
      if (event.type === 'cut') clear()
    },
    onPaste: (event: ClipboardEvent): void => {
      if (cell.editing !== undefined || off !== undefined) return
      event.preventDefault()
      const pasted = sheet.paste(rangeOf(selection), event.clipboardData.getData('text/plain'))
      change(pasted.changes)
      told(pasted)
    },
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const next =
      cell.editing === undefined
        ? keyOutside(event, { selection, size, select, begin: cell.begin, clear })
        : keyInside(event, { editing: cell.editing, size, keep: cell.keep, end: cell.end })
    if (next === undefined) return
    event.preventDefault()
    next()
  }
  return {
    ...cell,
    selection,
    handlers: { onKeyDown, ...clipboard, onCut: clipboard.onCopy, ...pointer(cell, selection, select) },
  }
}

type Cell = ReturnType<typeof useCell>

/** The cell that is typed into, and how that begins and ends. */
const useCell = (
  sheet: Sheet,
  off: string | undefined,
  change: (changes: readonly CellChange[]) => void,
  go: (to: Place) => void,
) => {
  const [editing, setEditing] = useState<Editing>()
  const end = (): void => setEditing(undefined)
  return {
    editing,
    end,
    begin: (at: Place, typed?: string): void => {
      if (off !== undefined || !sheet.isTyped(at)) return
      setEditing({ at, text: typed ?? sheet.text(at), isTyped: typed !== undefined, isWrong: false })
    },
    type: (text: string): void => setEditing(editing && { ...editing, text, isWrong: false }),
    /** Keeps what was typed, and goes on; stays where it makes no sense. @returns whether it was kept */
    keep: (to?: Place): boolean => {
      if (editing === undefined) return true
      const { at, text } = editing
      const isSame = text === sheet.text(at)
      const made = isSame ? undefined : sheet.put(at, text.trim() === '' ? '0' : text)
      if (!isSame && made === undefined) {
        setEditing({ ...editing, isWrong: true })
        return false
      }
      if (made !== undefined) change([made])
      end()
      if (to !== undefined) go(to)
      return true
    },
  }
}

interface Inside extends Pick<Cell, 'keep' | 'end'> {
  readonly editing: Editing
  readonly size: Size
}

/** What a key does while a cell is typed into; undefined: what it does in every field. */
const keyInside = (event: KeyboardEvent, { editing, size, keep, end }: Inside): (() => unknown) | undefined => {
  const { row, column } = editing.at
  const back = event.shiftKey ? -1 : 1
  if (event.key === 'Escape') return end
  if (event.key === 'Enter') return () => keep({ row: row + back, column })
  if (event.key === 'Tab') return () => keep({ row, column: column + back })
  if (!event.key.startsWith('Arrow') || !editing.isTyped) return undefined
  const to = moved({ at: editing.at, from: editing.at }, event, size)
  return to && (() => keep(to.at))
}

interface Outside extends Pick<Cell, 'begin'> {
  readonly selection: Selection
  readonly size: Size
  readonly select: (next: Selection) => void
  readonly clear: () => void
}

/** What a key does while no cell is typed into. */
const keyOutside = (event: KeyboardEvent, outside: Outside): (() => void) | undefined => {
  if (event.altKey) return undefined
  const { selection, size, select, begin, clear } = outside
  const { key } = event
  if (key === 'Delete' || key === 'Backspace') return clear
  if (key === 'F2' || key === 'Enter') return () => begin(selection.at)
  const to = moved(selection, event, size)
  return to === undefined ? letter(event, outside) : () => select(to)
}

const letter = (event: KeyboardEvent, { selection, size, select, begin }: Outside): (() => void) | undefined => {
  const { key } = event
  if (event.ctrlKey || event.metaKey) {
    const end = { row: size.rows - 1, column: size.columns - 1 }
    return key === 'a' ? () => select({ at: start, from: end }) : undefined
  }
  // A key that means something elsewhere on the page is typed in a grid.
  return key.length === 1 ? () => (key === ' ' ? undefined : begin(selection.at, key)) : undefined
}

const pointer = ({ editing, keep, begin }: Cell, selection: Selection, select: (next: Selection) => void) => ({
  onMouseDown: (event: MouseEvent): void => {
    const place = placeOf(event.target)
    if (place === undefined || isAt(editing?.at, place) || !keep()) return
    select({ at: place, from: event.shiftKey ? selection.from : place })
  },
  onMouseOver: (event: MouseEvent): void => {
    const place = event.buttons === 1 && editing === undefined ? placeOf(event.target) : undefined
    if (place !== undefined) select({ ...selection, at: place })
  },
  onDoubleClick: (event: MouseEvent): void => {
    const place = placeOf(event.target)
    if (place !== undefined) begin(place)
  },
  /** By touch, a cell is typed into at once when it is pressed again. */
  onPointerUp: ({ pointerType, target }: { readonly pointerType: string; readonly target: EventTarget }): void => {
    const place = placeOf(target)
    if (pointerType === 'touch' && place !== undefined && isAt(selection.at, place) && editing === undefined)
      begin(place)
  },
})

const isAt = (one: Place | undefined, { row, column }: Place): boolean => one?.row === row && one.column === column

const placeOf = (target: EventTarget): Place | undefined => {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-cell]') : null
  const [row, column] = cell?.dataset['cell']?.split(' ').map(Number) ?? []
  return row === undefined || column === undefined ? undefined : { row, column }
}
