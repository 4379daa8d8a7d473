import { expect, test } from 'vitest'
import { platforms, releaseStatuses as statuses, targets } from '#events/projects.ts'
import { describeTargets, problemsOfPlan, versionCodeProblem } from './targets.ts'

const fields = (problems: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(problems).flatMap(([field, message]) => (message === undefined ? [] : [field]))

const plan = { target: 'testers', platform: 'android', versionCode: null } as const
const deployment = { platform: 'android', status: 'succeeded' } as const

test('every store takes its platform, and testers take all', () => {
  const taken = targets.map((target) => [
    target,
    ...platforms.filter(
      (platform) => fields(problemsOfPlan({ ...plan, target, platform }, { ...deployment, platform })).length === 0,
    ),
  ])
  expect(taken).toEqual([
    ['googlePlay', 'android'],
    ['appleAppStore', 'ios'],
    ['huaweiAppGallery', 'huawei'],
    ['testers', 'android', 'huawei', 'ios'],
  ])
  expect(describeTargets()).toContain('googlePlay takes android; appleAppStore takes ios')
})

test.each(platforms.flatMap((mine) => platforms.map((its) => [mine, its] as const)))(
  'for %s, of a deployment for %s: only the same will do',
  (platform, its) => {
    const problems = problemsOfPlan({ ...plan, platform }, { ...deployment, platform: its })
    expect(fields(problems)).toEqual(platform === its ? [] : ['platform'])
  },
)

test('a deployment without an outcome can be distributed, and one that succeeded; one that is lost cannot', () => {
  const possible = statuses.filter((status) => fields(problemsOfPlan(plan, { ...deployment, status })).length === 0)
  expect(possible).toEqual(['created', 'succeeded'])
})

test('version codes are for android and huawei', () => {
  const takers = platforms.filter((platform) => versionCodeProblem(platform, 0) === undefined)
  expect(takers).toEqual(['android', 'huawei'])
  expect([versionCodeProblem('ios', null), versionCodeProblem('ios', undefined)]).toEqual([undefined, undefined])
})

test('everything that is wrong is said at once', () => {
  const problems = problemsOfPlan(
    { target: 'googlePlay', platform: 'ios', versionCode: 1 },
    { platform: 'huawei', status: 'failed' },
  )
  expect(fields(problems)).toEqual(['deployment', 'platform', 'target', 'versionCode'])
})
