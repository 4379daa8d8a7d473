import { expect, test } from 'vitest'
import { makeGuard } from './guard/guard.ts'
import { makeTargets } from './drivers/http.ts'

/** A guard that counts what it is asked. */
const makeCounted = () => {
  const guard = makeGuard({ allowedNetworks: [], allowLoopback: false })
  const asked: string[] = []
  const targetOf = makeTargets({
    ...guard,
    urlProblem: (url) => {
      asked.push(url)
      return guard.urlProblem(url)
    },
  })
  return { asked, targetOf }
}

test.each([
  ['https://shop.example/a%20b?x=1&y=%C3%BC#part', 'https://shop.example', '/a%20b?x=1&y=%C3%BC'],
  ['HTTPS://SHOP.example:443', 'https://shop.example', '/'],
  ['http://shop.example:8080/a/../b', 'http://shop.example:8080', '/b'],
  ['http://shop.example/ü x', 'http://shop.example', '/%C3%BC%20x'],
  ['http://user:password@shop.example/', 'http://shop.example', '/'],
  ['http://[2606:4700::1111]:8080/', 'http://[2606:4700::1111]:8080', '/'],
])('a URL is read: %s', (url, origin, path) => {
  expect(makeCounted().targetOf(url)).toEqual({ problem: undefined, origin, path })
})

test('a URL is judged once, whether it may be called or not', () => {
  const { asked, targetOf } = makeCounted()
  const first = targetOf('https://shop.example/')
  expect(targetOf('https://shop.example/')).toBe(first)
  const refused = targetOf('http://127.0.0.1/')
  expect(refused).toEqual({ problem: expect.stringContaining('not a public address') as string })
  expect(targetOf('http://127.0.0.1/')).toBe(refused)
  expect(asked).toEqual(['https://shop.example/', 'http://127.0.0.1/'])
})

test('of very many URLs the earliest are forgotten', () => {
  const { asked, targetOf } = makeCounted()
  for (let id = 0; id <= 4_096; id++) targetOf(`https://shop.example/${id}`)
  asked.length = 0
  targetOf('https://shop.example/4096')
  targetOf('https://shop.example/1')
  expect(asked).toEqual([])
  targetOf('https://shop.example/0')
  expect(asked).toEqual(['https://shop.example/0'])
})
