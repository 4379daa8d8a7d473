import { beforeAll, describe, expect, test } from 'vitest'
import { codeBlocks, readDocument, tableOf } from './markdown.ts'
import { openPage } from './open-page.ts'

// Does what the page about projects says, line by line. Only the port is another one.

const page = readDocument('docs/projects.md')
const blocks = codeBlocks(page)
const steps = blocks.filter(({ kind }) => kind.startsWith('bash terminal-')).map(({ text }) => text)
const shown = blocks.find(({ kind }) => kind === 'text')?.text ?? ''
const said: string[] = []

const { you, here } = await openPage()

beforeAll(async () => {
  for (const lines of steps.slice(1)) said.push(await you.run(here(lines)))
}, 60_000)

describe('the page about projects', () => {
  test('starts the server as the tour of the README does', () => {
    expect(codeBlocks(readDocument('README.md')).map(({ text }) => text)).toContain(steps[0])
  })

  test('takes somebody in, and shows no secret', () => {
    expect(said[1]).toBe('developer\n********\n')
  })

  test('shows the answers as they are', () => {
    expect(said[2]).toBe(shown)
  })

  test('says what each target takes as the API description does', () => {
    const { components } = JSON.parse(readDocument('docs/openapi.json')) as {
      components: { schemas: { NewDistribution: { properties: { target: { description: string } } } } }
    }
    const listed = tableOf(page, 'Target', 'Takes').map(
      ([target = '', platforms = '']) => `${target} takes ${platforms}`,
    )
    expect(components.schemas.NewDistribution.properties.target.description).toBe(`${listed.join('; ')}.`)
  })
})
