import { Autocomplete } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { listOf } from '#api/queries.ts'

interface SkuInputProps {
  readonly label: string
  readonly value: string
  readonly onChange: (sku: string) => void
  readonly error?: ReactNode
}

/** A sku, found by words among the products; another may be typed as well. */
export const SkuInput = ({ value, ...rest }: SkuInputProps) => {
  const [words] = useDebouncedValue(value.trim(), 200)
  const { data } = useQuery({
    ...listOf('/api/v1/products', { query: { is_active: true, limit: 10, ...(words !== '' && { q: words }) } }),
    staleTime: 60_000,
  })
  const names = new Map(data?.rows.map(({ sku, name }) => [sku, name]))
  return (
    <Autocomplete
      {...rest}
      value={value}
      required
      maxLength={100}
      // Room for all ten.
      maxDropdownHeight={360}
      data={[...names.keys()]}
      // What the server found is shown as it is: it searches names too.
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <span>
          <code>{option.value}</code> <span className="muted small">{names.get(option.value)}</span>
        </span>
      )}
    />
  )
}
