import { expect, test } from 'vitest'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeKeptLog } from '#testing/kept-log.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { makeSaveUser } from './save-user.ts'
import { makeSendLink } from './send-link.ts'
import { newUserDefaults } from './user.ts'

const { db } = await openTestDatabase()
const clock = makeFakeClock()

test('a link that cannot be sent is said in the log, without its token and address', async () => {
  const { log, text } = makeKeptLog()
  const send = makeSendLink({ clock, log })
  await inTransaction(db, async (tx) => {
    const { create } = makeSaveUser({ clock, divisionExists: async () => false })
    const user = await create(tx, { ...newUserDefaults, email: 'ann@example.com', passwordHash: '' })
    await send(tx, user, 'invite', 'https://waybill.example')
  })
  expect(text()).toContain('password_link.not_sent')
  expect(text()).not.toMatch(/wbp_|waybill\.example|ann@/)
})
