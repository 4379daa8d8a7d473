import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { listOf, useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { Drawer } from '#ui/drawer.tsx'
import { GoAction } from '#ui/go-action.tsx'
import { Link } from '#ui/link.tsx'
import { Notice } from '#ui/notice.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { formatAmount } from '#ui/texts/format.ts'
import { Time } from '#ui/time.tsx'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import { useIdParam } from '#ui/use-params.ts'
import { divisionOf, type Division } from './division-list.ts'
import { EditDivision } from './edit-division.tsx'
import { Limit } from './limit.tsx'

const branchesOf = (parent: number) => listOf('/api/v1/divisions', { query: { parent, ordering: 'name', limit: 1 } })

export const asks = ({ params }: Address): readonly AnyQuery[] => {
  const id = Number(params['id'])
  return [divisionOf(id), branchesOf(id)]
}

interface DivisionProps {
  readonly division: Division
}

/** One division: what it may order, what it has, where it hangs. */
export const DivisionDrawer = () => {
  const { t } = useTranslation('divisions')
  const { data: division, error } = useQuery(divisionOf(useIdParam()))
  const { data: branches } = useQuery({ ...branchesOf(division?.id ?? 0), enabled: division !== undefined })
  if (division === undefined) return <Drawer closeTo="/divisions" title={undefined} error={error} />
  const { id, name, erp_code: code, division_type: type, is_active: isActive } = division
  return (
    <Drawer
      closeTo="/divisions"
      ident={code === '' ? undefined : code}
      title={name}
      about={t(type === 'main' ? 'is_main' : 'is_branch', { count: branches?.total ?? 0 })}
      actions={<Actions division={division} />}
    >
      {!isActive && (
        <Notice outcome="idle" title={t('inactive_title')}>
          <p>{t('inactive_why')}</p>
        </Notice>
      )}
      <Facts division={division} />
      <section className="stack">
        <h3>{t('change')}</h3>
        <EditDivision key={id} division={division} />
      </section>
    </Drawer>
  )
}

const Actions = ({ division: { id, name, is_active: isActive } }: DivisionProps) => {
  const { t } = useTranslation('divisions')
  const switching = useSend('patch', '/api/v1/divisions/{id}')
  const turn = (next: boolean): void =>
    switching.mutate(
      { path: { id }, body: { is_active: next } },
      {
        onSuccess: () => toastDone(t(next ? 'switched_on' : 'switched_off', { name }), () => turn(!next)),
        onError: toastFailed,
      },
    )
  return (
    <>
      <GoAction to={`/divisions/new?below=${id}`}>{t('add_branch')}</GoAction>
      <Action loading={switching.isPending} onClick={() => turn(!isActive)}>
        {t(isActive ? 'switch_off' : 'switch_on')}
      </Action>
    </>
  )
}

const Facts = ({ division }: DivisionProps) => {
  const { t } = useTranslation('divisions')
  const { id, parent, root, current_balance: balance, current_balance_last_update: at, phone_number: phone } = division
  const facts: readonly (readonly [string, ReactNode] | false)[] = [
    [t('field.limit'), <Limit key="limit" division={division} />],
    [
      t('field.balance'),
      <>
        {formatAmount(balance)}{' '}
        {at !== null && (
          <span className="muted">
            <Time at={at} />
          </span>
        )}
      </>,
    ],
    parent !== null && [t('field.parent'), <Named key="parent" id={parent} />],
    parent !== null && root !== parent && [t('field.root'), <Named key="root" id={root} />],
    phone !== '' && [t('field.phone_number'), phone],
    [
      t('field.more'),
      <>
        <Link to={`/quotations?division=${id}`}>{t('quotations')}</Link> ·{' '}
        <Link to={`/orders?division=${id}`}>{t('orders')}</Link> ·{' '}
        <Link to={`/prices?division=${id}`}>{t('prices')}</Link>
      </>,
    ],
  ]
  return (
    <dl className="facts">
      {facts.map((fact) =>
        fact === false ? null : (
          <div key={fact[0]} style={{ display: 'contents' }}>
            <dt>{fact[0]}</dt>
            <dd>{fact[1]}</dd>
          </div>
        ),
      )}
    </dl>
  )
}

const Named = ({ id }: { readonly id: number }) => {
  const { data } = useQuery(divisionOf(id))
  return (
    <Link to={`/divisions/${id}`} keepSearch>
      {data?.name ?? `#${id}`}
    </Link>
  )
}
