import { UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { AnyList } from '#ui/list/use-list.ts'
import { isList } from './board.ts'
import classes from './board.module.css'

/** Board or list; the choice stands in the address. */
export const ViewSwitch = ({ list }: { readonly list: Pick<AnyList, 'search' | 'change'> }) => {
  const { t } = useTranslation('board')
  const isTable = isList(list.search)
  const choices = [
    { text: t('board'), isChosen: !isTable, view: undefined },
    { text: t('list'), isChosen: isTable, view: 'list' },
  ]
  return (
    <div role="group" aria-label={t('view')} className={classes['switch']}>
      {choices.map(({ text, isChosen, view }) => (
        <UnstyledButton key={text} aria-pressed={isChosen} onClick={() => list.change({ view, ordering: undefined })}>
          {text}
        </UnstyledButton>
      ))}
    </div>
  )
}
