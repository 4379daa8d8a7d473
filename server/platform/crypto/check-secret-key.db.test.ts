import { expect, test } from 'vitest'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { checkSecretKey } from './check-secret-key.ts'
import { makeVault } from './vault.ts'

const { db } = await openTestDatabase()

test('a database keeps to the SECRET_KEY it was first started with', async () => {
  await checkSecretKey(db, makeVault('the first key of at least 32 characters'))
  await expect(checkSecretKey(db, makeVault('the first key of at least 32 characters'))).resolves.toBeUndefined()
  await expect(checkSecretKey(db, makeVault('another key of at least 32 characters'))).rejects.toThrow(
    'SECRET_KEY is not the one this database was encrypted with',
  )
})

test('a database whose key was changed starts with the new key as long as the old one is named too', async () => {
  const changed = makeVault('another key of at least 32 characters', ['the first key of at least 32 characters'])
  await expect(checkSecretKey(db, changed)).resolves.toBeUndefined()
  // Starting changed nothing: that is the business of the command that changes keys.
  await expect(checkSecretKey(db, makeVault('another key of at least 32 characters'))).rejects.toThrow('not the one')
})
