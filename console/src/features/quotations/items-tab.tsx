import { useDisclosure } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Action } from '#ui/action.tsx'
import { Empty } from '#ui/states.tsx'
import { divisionsIn } from './draft/terms.ts'
import { useDraftHere } from './draft/use-draft.ts'
import { useDivisionNames } from './division-names.ts'
import { AddDivision } from './grid/add-division.tsx'
import { AddProduct } from './grid/add-product.tsx'
import type { Column } from './grid/cells.ts'
import { LinesGrid } from './grid/lines-grid.tsx'
import { PasteSheet } from './grid/paste-sheet.tsx'
import { useLastPrices } from './grid/last-prices.ts'
import classes from './grid/grid.module.css'

/** The lines of the quotation, and what can be done with them together. */
export const ItemsTab = () => {
  const { t } = useTranslation('quotations')
  const { quotation, lines, off } = useDraftHere()
  const [asked, ask] = useState<readonly number[]>([])
  const columns = useColumns(asked)
  const lastPrices = useLastPrices(quotation)
  const [isPasting, pasting] = useDisclosure()
  const [isAdding, adding] = useDisclosure()
  return (
    <>
      <div className={classes['tools']}>
        {off === undefined && (
          <AddDivision
            shown={columns.flatMap((one) => ('id' in one ? [one.id] : []))}
            add={(id) => ask([...asked, id])}
          />
        )}
        <Action variant="subtle" off={off} onClick={pasting.open}>
          {t('sheet.open')}
        </Action>
        <Action off={off} onClick={adding.open}>
          {t('add.open')}
        </Action>
      </div>
      {lines.length === 0 ? (
        <Empty title={t('grid.empty')}>{t('grid.empty_why')}</Empty>
      ) : (
        <LinesGrid columns={columns} lastPrices={lastPrices} />
      )}
      <p className={classes['hint']}>{off ?? t('grid.hint')}</p>
      {isPasting && <PasteSheet columns={columns} close={pasting.close} />}
      {isAdding && <AddProduct columns={columns} close={adding.close} />}
    </>
  )
}

/**
 * A column for each division that any line is for, and for that of the buyer where there is none.
 * @param asked those that get one besides
 */
const useColumns = (asked: readonly number[]): readonly Column[] => {
  const { quotation, lines } = useDraftHere()
  const nameOf = useDivisionNames()
  const found = [...new Set([...divisionsIn(lines), ...asked])]
  const ids = found.length === 0 ? [quotation.user.division.id] : found
  const names = ids.map(nameOf)
  const key = JSON.stringify([ids, names])
  return useMemo(() => {
    const [all, called] = JSON.parse(key) as [number[], string[]]
    return [
      { kind: 'product' },
      ...all.map((id, index) => ({ kind: 'division' as const, id, name: called[index] ?? '' })),
      ...(all.length > 1 ? [{ kind: 'together' as const }] : []),
      { kind: 'list' },
      { kind: 'price' },
      { kind: 'discount' },
      { kind: 'sum' },
    ]
  }, [key])
}
