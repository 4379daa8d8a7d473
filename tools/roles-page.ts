import { includes, permissions, roles, type Operation } from '../server/compose/for-pages.ts'
import { readDocument } from './markdown.ts'

/** Where the page is kept, from the root of the project. */
export const rolesFile = 'docs/roles.md'

interface Described {
  readonly operationId?: string
  readonly summary: string
}
type Paths = Readonly<Record<string, Readonly<Record<string, Described>>>>

/**
 * What each role of an organization's members may do, in Markdown. Who may comes from the table that the routes take their rule
 * from; path and meaning come from the committed API description.
 */
export const rolesPage = (): string => {
  const { paths } = JSON.parse(readDocument('docs/openapi.json')) as { paths: Paths }
  const operations = (Object.keys(permissions) as Operation[]).map((operation) => rowOf(operation, paths))
  const header = `| Request | What | ${roles.join(' | ')} |\n|---|---|${roles.map(() => ':-:|').join('')}`
  return `${[introduction, [header, ...operations].join('\n'), rules].join('\n\n')}\n`
}

const introduction = `# Roles

<!-- Generated from server/domains/app-center/access/permissions.ts by \`npm run docs:roles\`. Change it there. -->

What the members of an organization may do, by their role. Each role has all the rights of those to its right. Paths are below
\`/api/v1/organizations/{organizationId}\`, and \`{project}\` is \`/projects/{projectId}\`. How to work with it:
[projects.md](projects.md).`

const rules = `Besides, whatever the table says:

- Whoever is signed in makes organizations (\`POST /api/v1/organizations\`) and becomes their owner, but buyers; and lists their own.
- Only owners add, change and remove owners, and the last owner stays one.
- Anybody may leave; removing others takes an admin.
- Superusers have the rights of an owner in every organization.
- Whoever is no member gets 403 for everything in an organization, whether it exists or not.
- A limited API key also needs the scope \`projects:read\` for what is a \`GET\`, and \`projects:write\` for all else; for the secret of a
  webhook it needs \`projects:write\` also to read it, because whoever has that can pass for this server.`

const rowOf = (operation: Operation, paths: Paths): string => {
  const { request, summary } = find(operation, paths)
  const marks = roles.map((role) => (includes(role, permissions[operation]) ? '✓' : ''))
  return `| \`${request}\` | ${summary} | ${marks.join(' | ')} |`
}

/** @throws when the description has no such operation. */
const find = (operation: Operation, paths: Paths): { request: string; summary: string } => {
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, { operationId = '', summary }] of Object.entries(item)) {
      if (operationId === operation) return { request: `${method.toUpperCase()} ${shortened(path)}`, summary }
    }
  }
  throw new Error(`The API description has no operation ${operation}.`)
}

const shortened = (path: string): string =>
  path
    .replace('/api/v1/organizations/{organizationId}/projects/{projectId}', '{project}')
    .replace(/^\/api\/v1\/organizations\/\{organizationId\}$/, '/')
    .replace('/api/v1/organizations/{organizationId}', '')
