/** Fills in a path of the API description and puts the query behind it. What is undefined is left out. */
export const requestUrl = (path: string, parameters: object = {}, query: object = {}): string => {
  const values = new Map(Object.entries(parameters))
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values.get(name))))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) search.append(name, String(one))
  return search.size === 0 ? filled : `${filled}?${search}`
}
