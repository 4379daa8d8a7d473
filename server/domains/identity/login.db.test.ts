import { pino } from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'
import { argon2Passwords, type Passwords } from '#platform/auth/passwords.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeWrite } from '#platform/http/idempotency.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { quickPasswords } from '#testing/make-test-app.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { makeIdentity } from './index.ts'
import { makeSaveUser } from './save-user.ts'
import { newUserDefaults } from './user.ts'
import { testIdempotency } from '#testing/idempotency-keys.ts'

const { db } = await openTestDatabase()
const clock = makeFakeClock()
const lines: string[] = []
const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })

/** Real passwords that count how often they were checked, and against whose hash. */
const real = argon2Passwords(quickPasswords)
let checks: (string | undefined)[] = []
const passwords: Passwords = {
  hash: real.hash,
  matches: (hash, password) => {
    checks.push(hash)
    return real.matches(hash, password)
  },
}

const write = makeWrite({ db, ...testIdempotency })
const deps = {
  db,
  clock,
  write,
  log,
  passwords,
  tokenKey: Buffer.alloc(32, 1),
  csrfKey: Buffer.alloc(32),
  config: {},
  baseUrl: () => '',
}
/** Two servers on one database. */
const [here, there] = [makeIdentity(deps), makeIdentity(deps)]
const passwordHash = await real.hash('battery staple')

let made = 0
const makeUser = (fields: { username?: string; isActive?: boolean } = {}) => {
  made += 1
  const email = `person-${made}@example.com`
  const { create } = makeSaveUser({ clock, divisionExists: async () => false })
  return inTransaction(db, (tx) =>
    create(tx, { ...newUserDefaults, email, password: 'battery staple', passwordHash, ...fields }),
  )
}
/** An address that nobody used before. */
const freshAddress = () => `10.0.${(made += 1)}.1`

beforeEach(() => {
  checks = []
  lines.length = 0
  clock.advance(60 * 60_000)
})

const wrong = { ok: false, reason: 'credentials' }
const throttled = (retryAfterSeconds: number) => ({ ok: false, reason: 'throttled', retryAfterSeconds })

describe('whoever it is, a login takes exactly one password check', () => {
  test('somebody with the right password', async () => {
    const user = await makeUser()
    expect(await here.verifyLogin(user.email, 'battery staple', freshAddress())).toMatchObject({
      ok: true,
      user: { id: user.id },
    })
    expect(checks).toEqual([passwordHash])
  })
  test('somebody with a wrong one', async () => {
    const user = await makeUser()
    expect(await here.verifyLogin(user.email, 'wrong', freshAddress())).toEqual(wrong)
    expect(checks).toEqual([passwordHash])
  })
  test('nobody', async () => {
    expect(await here.verifyLogin('nobody@example.com', 'wrong', freshAddress())).toEqual(wrong)
    expect(checks).toEqual([undefined])
  })
  test('somebody who was deactivated, with the right password', async () => {
    const user = await makeUser({ isActive: false })
    expect(await here.verifyLogin(user.email, 'battery staple', freshAddress())).toEqual(wrong)
    expect(checks).toEqual([passwordHash])
  })
})

test('a name is found in any case, by e-mail and by user name', async () => {
  const user = await makeUser({ username: 'Storekeeper' })
  for (const name of [user.email.toUpperCase(), 'storekeeper', 'STOREKEEPER']) {
    expect(await here.verifyLogin(name, 'battery staple', freshAddress())).toMatchObject({ ok: true })
  }
})

describe('a hundred wrong logins at once, on two servers, get ten password checks', () => {
  const storm = (login: (index: number) => [string, string]) =>
    Promise.all(
      Array.from({ length: 100 }, (_, index) => {
        const [name, address] = login(index)
        return (index % 2 === 0 ? here : there).verifyLogin(name, `guess ${index}`, address)
      }),
    )
  const outcome = (results: readonly { ok: boolean; reason?: string }[]) =>
    ['credentials', 'throttled'].map((reason) => results.filter((result) => result.reason === reason).length)

  test('for one account, from many addresses', async () => {
    const { email } = await makeUser()
    expect(outcome(await storm((index) => [email, `10.9.${index}.1`]))).toEqual([10, 90])
    expect(checks.length).toBe(10)
  })
  test('for a name that nobody has, from many addresses', async () => {
    expect(outcome(await storm((index) => ['ghost@example.com', `10.10.${index}.1`]))).toEqual([10, 90])
    expect(checks.length).toBe(10)
  })
  test('for many names, from one address', async () => {
    expect(outcome(await storm((index) => [`ghost-${index}@example.com`, '10.11.0.1']))).toEqual([10, 90])
    expect(checks.length).toBe(10)
  })
})

describe('after ten failures', () => {
  const fail = async (times: number, name: string, address = freshAddress) => {
    for (let time = 0; time < times; time++) expect(await here.verifyLogin(name, 'wrong', address())).toEqual(wrong)
  }

  test('the right password is refused too, until the first failure is fifteen minutes old', async () => {
    const { email } = await makeUser()
    await fail(1, email)
    clock.advance(60_000)
    await fail(9, email)
    expect(await there.verifyLogin(email, 'battery staple', freshAddress())).toEqual(throttled(14 * 60))
    expect(checks.length).toBe(10)

    clock.advance(14 * 60_000 - 1)
    expect(await here.verifyLogin(email, 'battery staple', freshAddress())).toEqual(throttled(1))
    clock.advance(1)
    expect(await here.verifyLogin(email, 'battery staple', freshAddress())).toMatchObject({ ok: true })
  })

  test('under one name of a person, the other is not concerned: nobody learns that the two belong together', async () => {
    const { email } = await makeUser({ username: 'two-names' })
    await fail(10, email)
    expect(await here.verifyLogin(email, 'wrong', freshAddress())).toMatchObject({ reason: 'throttled' })
    await fail(10, 'Two-Names')
    expect(await here.verifyLogin('two-names', 'wrong', freshAddress())).toMatchObject({ reason: 'throttled' })
  })

  test('under one name of a person, a login under the other forgets none of them', async () => {
    const { email } = await makeUser({ username: 'other-name' })
    await fail(10, email)
    expect(await here.verifyLogin('other-name', 'battery staple', freshAddress())).toMatchObject({ ok: true })
    expect(await here.verifyLogin(email, 'wrong', freshAddress())).toMatchObject({ reason: 'throttled' })
  })

  test('a name that nobody has is refused like one that somebody has', async () => {
    await fail(5, 'Unknown@example.com')
    await fail(5, 'unknown@EXAMPLE.com')
    expect(await here.verifyLogin('unknown@example.com', 'wrong', freshAddress())).toEqual(throttled(15 * 60))
  })

  test('another account from another address is not concerned', async () => {
    const [one, other] = [await makeUser(), await makeUser()]
    await fail(10, one.email)
    expect(await here.verifyLogin(other.email, 'battery staple', freshAddress())).toMatchObject({ ok: true })
  })

  test('refused logins do not prolong the wait', async () => {
    const { email } = await makeUser()
    await fail(10, email)
    clock.advance(10 * 60_000)
    for (let time = 0; time < 20; time++) await here.verifyLogin(email, 'wrong', freshAddress())
    clock.advance(5 * 60_000)
    expect(await here.verifyLogin(email, 'battery staple', freshAddress())).toMatchObject({ ok: true })
  })

  test('neighbours in one IPv6 network are one address', async () => {
    let host = 1
    await fail(10, 'someone@example.com', () => `2001:db8:0:1::${host++}`)
    expect(await here.verifyLogin('else@example.com', 'wrong', '2001:db8:0:1:ffff::9')).toMatchObject({
      reason: 'throttled',
    })
    expect(await here.verifyLogin('else@example.com', 'wrong', '2001:db8:0:2::1')).toEqual(wrong)
  })
})

describe('where somebody has logged in', () => {
  const attack = async (name: string) => {
    for (let time = 0; time < 25; time++) await there.verifyLogin(name, 'wrong', freshAddress())
    expect(await there.verifyLogin(name, 'wrong', freshAddress())).toMatchObject({ reason: 'throttled' })
  }

  test('failures of strangers lock nobody out, however many they are', async () => {
    const user = await makeUser()
    const home = freshAddress()
    const logIn = () => here.verifyLogin(user.email.toUpperCase(), 'battery staple', home)
    expect(await logIn()).toMatchObject({ ok: true })
    await attack(user.email)
    expect(await logIn()).toMatchObject({ ok: true })
    // That login gave the strangers no new tries.
    expect(await there.verifyLogin(user.email, 'wrong', freshAddress())).toMatchObject({ reason: 'throttled' })
  })

  test('failures under other names behind the same address lock nobody out', async () => {
    const [user, stranger] = [await makeUser(), await makeUser()]
    const office = freshAddress()
    expect(await here.verifyLogin(user.email, 'battery staple', office)).toMatchObject({ ok: true })
    for (let time = 0; time < 10; time++) await here.verifyLogin('somebody@example.com', 'wrong', office)
    expect(await here.verifyLogin(stranger.email, 'battery staple', office)).toMatchObject({ reason: 'throttled' })
    expect(await here.verifyLogin(user.email, 'battery staple', office)).toMatchObject({ ok: true })
  })

  test('ten failures are the limit as well, and only there', async () => {
    const user = await makeUser()
    const [home, away] = [freshAddress(), freshAddress()]
    for (const place of [home, away])
      expect(await here.verifyLogin(user.email, 'battery staple', place)).toMatchObject({ ok: true })
    checks = []
    for (let time = 0; time < 15; time++) await here.verifyLogin(user.email, 'wrong', home)
    expect(checks.length).toBe(10)
    expect(await here.verifyLogin(user.email, 'battery staple', home)).toEqual(throttled(15 * 60))
    expect(await here.verifyLogin(user.email, 'battery staple', away)).toMatchObject({ ok: true })
  })

  test('a failed login makes no place known', async () => {
    const { email } = await makeUser()
    const place = freshAddress()
    expect(await here.verifyLogin(email, 'wrong', place)).toEqual(wrong)
    await attack(email)
    expect(await here.verifyLogin(email, 'battery staple', place)).toMatchObject({ reason: 'throttled' })
  })

  test('is forgotten after 90 days, and stored as a hash alone', async () => {
    const { email } = await makeUser()
    const home = '10.200.0.1'
    expect(await here.verifyLogin(email, 'battery staple', home)).toMatchObject({ ok: true })
    const rows = await db.selectFrom('knownPlaces').selectAll().execute()
    expect(JSON.stringify(rows)).not.toMatch(/@|10\.200/)
    clock.advance(90 * 24 * 60 * 60_000)
    await attack(email)
    expect(await here.verifyLogin(email, 'battery staple', home)).toMatchObject({ reason: 'throttled' })
    await here.tidy()
    expect(await db.selectFrom('knownPlaces').selectAll().execute()).toEqual([])
  })
})

test('success forgets the failures of the name, not those of the address', async () => {
  const user = await makeUser()
  const address = freshAddress()
  for (let time = 0; time < 9; time++) await here.verifyLogin(user.email, 'wrong', address)
  expect(await here.verifyLogin(user.email, 'battery staple', address)).toMatchObject({ ok: true })

  for (let time = 0; time < 9; time++)
    expect(await here.verifyLogin(user.email, 'wrong', freshAddress())).toEqual(wrong)
  expect(await here.verifyLogin('nobody@example.com', 'wrong', address)).toEqual(wrong)
  expect(await here.verifyLogin('nobody@example.com', 'wrong', address)).toMatchObject({ reason: 'throttled' })
})

test('success leaves nothing behind at its address', async () => {
  const user = await makeUser()
  const address = freshAddress()
  for (let time = 0; time < 30; time++)
    expect(await here.verifyLogin(user.email, 'battery staple', address)).toMatchObject({ ok: true })
})

test('what was typed as a name is neither stored nor logged', async () => {
  await here.verifyLogin('my secret passphrase', 'wrong', '10.77.0.1')
  const rows = await db.selectFrom('loginFailures').selectAll().execute()
  expect(rows.length).toBeGreaterThan(0)
  expect(JSON.stringify(rows)).not.toMatch(/secret|10\.77/)
  expect(lines.join('')).toContain('login.failed')
  expect(lines.join('')).not.toMatch(/secret|passphrase/)
})

test('tidying up removes failures that no longer count, and only those', async () => {
  await here.verifyLogin('early@example.com', 'wrong', freshAddress())
  clock.advance(10 * 60_000)
  await here.verifyLogin('late@example.com', 'wrong', freshAddress())
  clock.advance(5 * 60_000)
  await here.tidy()
  expect((await db.selectFrom('loginFailures').selectAll().execute()).length).toBe(2)
})
