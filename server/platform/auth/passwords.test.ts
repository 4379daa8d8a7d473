import { expect, test } from 'vitest'
import { argon2Passwords, nobodysHash } from './passwords.ts'

const passwords = argon2Passwords()

test('a password matches its own hash and no other', async () => {
  const hash = await passwords.hash('correct horse')
  expect(await passwords.matches(hash, 'correct horse')).toBe(true)
  expect(await passwords.matches(hash, 'Correct horse')).toBe(false)
  expect(await passwords.hash('correct horse')).not.toBe(hash)
})

test('the check for nobody does the same work as one for somebody, and fails', async () => {
  const parametersOf = (hash: string) => hash.split('$').slice(1, 4)
  const hash = await passwords.hash('correct horse')
  expect(parametersOf(hash)).toEqual(['argon2id', 'v=19', 'm=19456,t=2,p=1'])
  expect(parametersOf(nobodysHash())).toEqual(parametersOf(hash))
  expect(nobodysHash().length).toBe(hash.length)
  expect(await passwords.matches(undefined, 'correct horse')).toBe(false)
})

test('letters composed differently are the same password', async () => {
  const hash = await passwords.hash('caf\u00e9 au lait')
  expect(await passwords.matches(hash, 'cafe\u0301 au lait')).toBe(true)
})

test('many checks at once all get their answer', async () => {
  const hash = await passwords.hash('correct horse')
  const typed = Array.from({ length: 9 }, (_, index) => (index % 3 === 0 ? 'correct horse' : `wrong ${index}`))
  expect(await Promise.all(typed.map((password) => passwords.matches(hash, password)))).toEqual(
    typed.map((password) => password === 'correct horse'),
  )
})

test('a check that fails to run leaves its turn to the next', async () => {
  const broken = Array.from({ length: 4 }, () => passwords.matches('no hash', 'x'))
  expect((await Promise.allSettled(broken)).map(({ status }) => status)).toEqual(Array(4).fill('rejected'))
  expect(await passwords.matches(undefined, 'x')).toBe(false)
})
