/** What stands behind the `?`, as pages have it. */
type Search = Readonly<Record<string, string | readonly string[] | undefined>>

/** The query of an address as the API would write it: `status=failed&status=held`, not JSON. */
export const parseSearch = (text: string): Record<string, string | string[]> => {
  const parameters = new URLSearchParams(text)
  const names = [...new Set(parameters.keys())]
  return Object.fromEntries(
    names.map((name) => {
      const values = parameters.getAll(name)
      return [name, values.length === 1 ? (values[0] ?? '') : values]
    }),
  )
}

export const stringifySearch = (search: Search): string => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(search))
    for (const one of [value ?? []].flat()) parameters.append(name, one)
  return parameters.size === 0 ? '' : `?${parameters}`
}
