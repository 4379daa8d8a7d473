import { beforeAll, expect, test } from 'vitest'
import { codeBlocks, readDocument } from './markdown.ts'
import { openPage } from './open-page.ts'
import { linesOf } from './page-commands.ts'

// Does what the page about accounts says, line by line. Only the port is another one.

const steps = codeBlocks(readDocument('docs/accounts.md')).filter(({ kind }) => kind === 'bash')
const { you, here } = await openPage()

let said: string[] = []
beforeAll(async () => {
  const answers: string[] = []
  for (const { text } of steps) answers.push(await you.run(here(text)))
  said = linesOf(answers)
}, 60_000)

test('the commands of the page about accounts invite, log in, change and end what they say', async () => {
  expect(steps.length).toBeGreaterThan(5)
  expect(said).toEqual(expect.arrayContaining(['Europe/Istanbul', 'ayse@shop.example', 'tr']))
  // The last one deactivates her.
  expect(said.at(-1)).toBe('false')
  const login = here(
    `curl -sS -o /dev/null -w '%{http_code}' $URL/api/v1/auth/login/ -H 'Content-Type: application/json' -d '{"username": "ayse@shop.example", "password": "correct staple battery"}' || true`,
  )
  expect(await you.run(login)).toContain('400')
})
