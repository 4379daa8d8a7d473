import { beforeAll, expect, test } from 'vitest'
import { catalogue } from '#events/catalogue.ts'
import { countStatements } from '#testing/count-statements.ts'
import { makeProjects } from '#testing/make-projects.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const testApp = await makeTestApp()
const { call } = testApp
const { projectUrl } = await makeProjects(testApp)
const target = 'http://127.0.0.1:4109/'
const rows = 30

const made = async (url: string, body: unknown, headers: Record<string, string> = {}) => {
  const answer = await call('POST', url, body, headers)
  if (answer.statusCode >= 300) throw new Error(`POST ${url}: ${answer.body}`)
  return answer
}

const webhooks = `${projectUrl}/settings/webhooks`
const flows = '/api/nifi/flows'
const lists: Record<string, string> = { hooks: '/whisperer/hooks/', webhooks, flows }

beforeAll(async () => {
  const urls: Record<string, string> = {}
  for (let index = 0; index < rows; index += 1) {
    const url = `${target}${index}`
    await made('/whisperer/hooks/', { event_type: 'package.created', target_url: url })
    const webhook = { name: 'Builds', url, events: ['deployment.build.created'] }
    urls['deliveries'] = `${new URL(String((await made(webhooks, webhook)).headers.location)).pathname}/deliveries`
    const flow = await made(flows, { direction: 'outbound', target: url })
    urls['runs'] = `${flows}/${flow.json<{ id: number }>().id}/runs`
  }
  for (let index = 0; index < rows; index += 1) {
    await made(urls['deliveries']?.replace(/deliveries$/, 'ping') ?? '', undefined)
    await made(urls['runs']?.replace(/runs$/, 'data') ?? '', { index })
  }
  await made('/api/v1/events/', { id: '1', type: 'package.created', data: catalogue['package.created'].example })
  Object.assign(lists, urls, { 'hook events': '/whisperer/hook_events/' })
}, 60_000)

test.each(['hooks', 'webhooks', 'flows', 'hook events', 'deliveries', 'runs'])(
  'a long list of %s takes as many statements as a short one',
  async (name) => {
    const list = async (limit: number): Promise<number> => {
      const { statusCode, body } = await call('GET', `${lists[name]}?limit=${limit}`)
      expect(statusCode).toBe(200)
      return (JSON.parse(body) as unknown[]).length
    }
    expect([await list(10), await list(1_000)]).toEqual([10, rows])
    const short = await countStatements(() => list(10))
    expect(short).toBeGreaterThan(1)
    expect(await countStatements(() => list(1_000))).toBe(short)
  },
)
