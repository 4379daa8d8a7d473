interface Operation {
  readonly tags?: readonly string[]
  readonly summary?: string
}
interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** Every operation of an OpenAPI document, by what it is about, in Markdown. */
export const apiPage = (document: string): string => {
  const { paths } = JSON.parse(document) as Description
  const groups = new Map<string, string[]>()
  for (const [path, item] of Object.entries(paths))
    for (const [method, { tags: [tag = 'Other'] = [], summary = '' }] of Object.entries(item)) {
      const rows = groups.get(tag) ?? []
      rows.push(`| \`${method.toUpperCase()} ${path}\` | ${summary} |`)
      groups.set(tag, rows)
    }
  const parts = [...groups].map(([tag, rows]) => `## ${tag}\n\n| Request | What |\n|---|---|\n${rows.join('\n')}`)
  return `${introduction}\n\n${parts.join('\n\n')}\n`
}

const introduction = `# API

Every operation by what it is about. A running server shows each with its fields, answers and examples at
<http://127.0.0.1:4000/docs>, where it can be tried, and as OpenAPI 3.1 at <http://127.0.0.1:4000/openapi.json>.`
