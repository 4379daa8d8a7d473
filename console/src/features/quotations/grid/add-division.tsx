import { Menu } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Action } from '#ui/action.tsx'
import { useOrderable } from '../division-names.ts'

interface AddDivisionProps {
  /** Those that have a column. */
  readonly shown: readonly number[]
  readonly add: (id: number) => void
}

/** Gives a column to another division of the buyer's company. */
export const AddDivision = ({ shown, add }: AddDivisionProps) => {
  const { t } = useTranslation('quotations')
  const others = useOrderable().filter(({ id }) => !shown.includes(id))
  if (others.length === 0) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Action variant="subtle">{t('add.division')}</Action>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        {others.map(({ id, name }) => (
          <Menu.Item key={id} onClick={() => add(id)}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
