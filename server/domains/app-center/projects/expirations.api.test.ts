import { describe, expect, test } from 'vitest'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeProjects } from '#testing/make-projects.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const clock = makeFakeClock()
const { callAs, projectUrl } = await makeProjects(await makeTestApp({ clock }))

describe('expirations', () => {
  const at = (days: number, moreMs = 0): string =>
    new Date(clock.now().getTime() + days * 86_400_000 + moreMs).toISOString()
  const certificates = {
    credential: {
      ios: {
        production: { certificateExpiration: at(30), provisioningExpiration: at(30, 1), password: 'hush' },
        staging: { certificateExpiration: at(-1, -1) },
      },
    },
    additionalCredentials: {
      ios: { staging: [{ bundleIdentifier: 'com.example.widget', provisioningExpiration: at(3) }] },
    },
  }
  const fieldsOf = async (query: string) =>
    (await callAs('viewer', `GET ${projectUrl}/expirations${query}`))
      .json<{ field: string }[]>()
      .map(({ field }) => field)
  const [past, soon, last, later] = [
    'credential.ios.staging.certificateExpiration',
    'additionalCredentials.ios.staging.0.provisioningExpiration',
    'credential.ios.production.certificateExpiration',
    'credential.ios.production.provisioningExpiration',
  ]

  test('are what ends within 30 days, what has ended first', async () => {
    expect((await callAs('developer', `PATCH ${projectUrl}`, certificates)).statusCode).toBe(200)
    expect((await callAs('viewer', `GET ${projectUrl}/expirations`)).json()).toEqual([
      {
        field: past,
        kind: 'certificate',
        environment: 'staging',
        bundleIdentifier: null,
        expiresAt: at(-1, -1),
        daysLeft: -2,
        expired: true,
      },
      {
        field: soon,
        kind: 'provisioning',
        environment: 'staging',
        bundleIdentifier: 'com.example.widget',
        expiresAt: at(3),
        daysLeft: 3,
        expired: false,
      },
      {
        field: last,
        kind: 'certificate',
        environment: 'production',
        bundleIdentifier: null,
        expiresAt: at(30),
        daysLeft: 30,
        expired: false,
      },
    ])
  })

  test.each([
    ['?days=1', [past]],
    ['?days=3', [past, soon]],
    ['?days=31', [past, soon, last, later]],
    ['?days=365', [past, soon, last, later]],
  ])('can be asked for with %s', async (query, fields) => {
    expect(await fieldsOf(query)).toEqual(fields)
  })

  test.each(['0', '366', '-1', '1.5', 'soon', ''])('refuse days=%s', async (days) => {
    const answer = await callAs('viewer', `GET ${projectUrl}/expirations?days=${days}`)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({ validationError: { days: [expect.any(String)] } })
  })

  test('come by page, with how many there are', async () => {
    const answer = await callAs('viewer', `GET ${projectUrl}/expirations?days=31&limit=3&page=2`)
    expect(answer.json<{ field: string }[]>().map(({ field }) => field)).toEqual([later])
    expect(answer.headers['x-total-count']).toBe('4')
    expect(answer.headers['link']).toMatch(/days=31&limit=3&page=1>; rel="prev"/)
    expect(await fieldsOf('?days=31&limit=2')).toEqual([past, soon])
    expect(await fieldsOf('?page=9007199254740991')).toEqual([])
    expect((await callAs('viewer', `GET ${projectUrl}/expirations?limit=1001`)).statusCode).toBe(400)
  })

  test('are none for a project of nothing', async () => {
    const made = await callAs('developer', 'POST /projects', { name: 'Empty', slug: 'empty' })
    expect((await callAs('viewer', `GET /projects/${made.json<{ _id: string }>()._id}/expirations`)).json()).toEqual([])
  })
})
