import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { listOf } from '#api/queries.ts'
import { Link } from '#ui/link.tsx'

/** Every stock location, for names and choices; there are few. */
export const allLocations = listOf('/api/v1/stock_locations', { query: { limit: 1_000, ordering: 'code' } })

interface LocationCodeProps {
  readonly id: number | null
  readonly isLink?: boolean
}

/** A stock location by its code. */
export const LocationCode = ({ id, isLink = false }: LocationCodeProps) => {
  const { data } = useQuery({ ...allLocations, staleTime: 60_000 })
  if (id === null) return <span className="muted">–</span>
  const location = data?.rows.find((one) => one.id === id)
  const name = location?.code ?? `#${id}`
  return isLink ? (
    <Link to={`/stock_locations/${id}`} title={location?.name}>
      {name}
    </Link>
  ) : (
    <span title={location?.name}>{name}</span>
  )
}

/** The code of a location for a sentence; its id while it is not known. */
export const useLocationCode = (id: number | null): string => {
  const { data } = useQuery({ ...allLocations, staleTime: 60_000 })
  return data?.rows.find((one) => one.id === id)?.code ?? `#${id}`
}

interface LocationSelectProps {
  readonly label: string
  readonly description?: ReactNode
  readonly value?: number | null
  readonly onChange: (id: number | null) => void
  readonly error?: ReactNode
  readonly required?: boolean
}

/** A choice of the locations that take new work. */
export const LocationSelect = ({ value = null, onChange, required = false, ...rest }: LocationSelectProps) => {
  const { data } = useQuery({ ...allLocations, staleTime: 60_000 })
  const locations = data?.rows.filter((one) => one.is_active || one.id === value) ?? []
  return (
    <Select
      {...rest}
      required={required}
      clearable={!required}
      searchable
      data={locations.map(({ id, code, name }) => ({ value: String(id), label: `${code} · ${name}` }))}
      value={value === null ? null : String(value)}
      onChange={(next) => onChange(next === null ? null : Number(next))}
    />
  )
}
