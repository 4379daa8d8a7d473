import { conflictsOf, lostLines, cellKey, withoutCell, type Conflict } from './conflicts.ts'
import { differencesBetween, type Difference } from './differences.ts'
import { hasEdits, noEdits, stillChanging, type Edits } from './edits.ts'
import type { Line, Terms } from './terms.ts'

/** Terms at a version of the quotation. */
export interface Base {
  readonly version: number
  readonly terms: Terms
}

export interface DraftState {
  readonly base: Base
  readonly edits: Edits
  /** What the edits were before each of them, the newest last. */
  readonly past: readonly Edits[]
  /** What somebody else has changed while there were edits here. */
  readonly news: readonly Difference[]
  readonly lost: readonly Line[]
  readonly conflicts: readonly Conflict[]
}

export type DraftAction =
  | { readonly type: 'edit'; readonly change: (edits: Edits) => Edits }
  | { readonly type: 'undo' | 'discard' | 'read' }
  /** Another version was read, of whoever made it. */
  | { readonly type: 'arrived'; readonly base: Base }
  /** A part of the edits was saved, and this came of it. */
  | { readonly type: 'saved'; readonly base: Base; readonly given?: string }
  | { readonly type: 'choose'; readonly conflict: Conflict; readonly isMine: boolean }

export const begin = (base: Base): DraftState => ({
  base,
  edits: noEdits,
  past: [],
  news: [],
  lost: [],
  conflicts: [],
})

/** What becomes of a draft: edits stay local until they are saved, and survive what others do meanwhile. */
export const draftReducer = (state: DraftState, action: DraftAction): DraftState => {
  const { base, edits, past } = state
  switch (action.type) {
    case 'edit': {
      const next = stillChanging(base.terms, action.change(edits))
      return { ...state, edits: next, past: [...past, edits] }
    }
    case 'undo': {
      const last = past.at(-1)
      if (last === undefined) return state
      return { ...state, edits: stillChanging(base.terms, last), past: past.slice(0, -1) }
    }
    case 'discard':
      return begin(base)
    case 'read':
      return { ...state, news: [], lost: [] }
    case 'arrived':
      return arrived(state, action.base)
    case 'saved':
      return saved(state, action)
    case 'choose':
      return chosen(state, action.conflict, action.isMine)
  }
}

const arrived = (state: DraftState, theirs: Base): DraftState => {
  const { base, edits } = state
  if (theirs.version <= base.version) return state
  if (!hasEdits(edits)) return { ...begin(theirs), news: state.news, lost: state.lost }
  const found = conflictsOf(base.terms, theirs.terms, edits)
  const newer = new Set(found.map(cellKey))
  const next = stillChanging(theirs.terms, edits)
  return {
    ...state,
    base: theirs,
    edits: next,
    news: [...state.news, ...differencesBetween(base.terms, theirs.terms)],
    lost: [...state.lost, ...lostLines(base.terms, theirs.terms, edits)],
    conflicts: [...state.conflicts.filter((one) => !newer.has(cellKey(one)) && isOpen(next, one)), ...found],
  }
}

/** Whether a conflict still has an edit of its own. */
const isOpen = ({ lines }: Edits, { line, cell }: Conflict): boolean => {
  const edit = lines.get(line)
  return cell === 'price' ? edit?.price !== undefined : edit?.quantities?.has(cell) === true
}

const saved = (state: DraftState, { base, given }: Extract<DraftAction, { type: 'saved' }>): DraftState => {
  const rest = { ...state.edits, given: state.edits.given.filter(({ key }) => key !== given) }
  const edits = stillChanging(base.terms, rest)
  return hasEdits(edits) ? { ...state, base, edits, past: [] } : begin(base)
}

const chosen = (state: DraftState, conflict: Conflict, isMine: boolean): DraftState => ({
  ...state,
  edits: isMine ? state.edits : withoutCell(state.edits, conflict),
  conflicts: state.conflicts.filter((one) => cellKey(one) !== cellKey(conflict)),
})
