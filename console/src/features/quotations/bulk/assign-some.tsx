import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listOf } from '#api/queries.ts'
import { useMe } from '#api/session.ts'
import { Action } from '#ui/action.tsx'
import { useEach } from '#ui/use-each.ts'
import { assign, type Row } from './each-quotation.ts'
import { SomeDialog } from './some-dialog.tsx'

const nobody = 'nobody'

/** Those who work in the back office, which superusers alone may read; the API answers at most 100 at a time. */
const backOffice = listOf('/api/v1/users', {
  query: { is_staff: true, is_active: true, ordering: 'email', limit: 100 },
})

interface AssignSomeProps {
  readonly rows: readonly Row[]
  readonly close: () => void
}

/** Gives several quotations to somebody, or to nobody. */
export const AssignSome = ({ rows, close }: AssignSomeProps) => {
  const { t } = useTranslation('bulk')
  const me = useMe()
  const each = useEach<Row>()
  const [chosen, choose] = useState(String(me.id))
  const { data } = useQuery({ ...backOffice, enabled: me.is_superuser })
  const others = (data?.rows ?? []).filter(({ id }) => id !== me.id)
  const people = [
    { value: String(me.id), label: t('assign.me', { email: me.email }) },
    ...others.map(({ id, email }) => ({ value: String(id), label: email })),
    { value: nobody, label: t('assign.nobody') },
  ]
  const name = people.find(({ value }) => value === chosen)?.label ?? ''
  const count = rows.length
  const send = (): void => each.start(rows, (row) => assign(row, chosen === nobody ? null : Number(chosen)))
  return (
    <SomeDialog
      title={t('assign.title', { count })}
      doneText={(done) => t('assign.done', { count: done, name })}
      each={each}
      close={close}
    >
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <Select
          label={t('assign.to')}
          description={me.is_superuser ? undefined : t('assign.to_why')}
          data={people}
          value={chosen}
          onChange={(next) => choose(next ?? nobody)}
          allowDeselect={false}
          searchable
        />
        <p className="muted">{t('only_as_shown')}</p>
        <div>
          <Action main type="submit">
            {t('assign.submit', { count })}
          </Action>
        </div>
      </form>
    </SomeDialog>
  )
}
