import { expect, test } from 'vitest'
import { agentName } from './agent-name.ts'

const engine = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [`Mozilla/5.0 (X11; Linux x86_64) ${engine} Chrome/141.0.0.0 Safari/537.36`, 'Chrome, Linux'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${engine} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`, 'Edge, Windows'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Safari/604.1',
    'Safari, iPhone',
  ],
  [`Mozilla/5.0 (Linux; Android 15) ${engine} Chrome/141.0.0.0 Mobile Safari/537.36`, 'Chrome, Android'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 15.1; rv:132.0) Gecko/20100101 Firefox/132.0', 'Firefox, macOS'],
  ['curl/8.11.0', 'curl/8.11.0'],
  ['python-requests/2.32.3 something', 'python-requests/2.32.3'],
  ['', undefined],
])('%s is called %j', (agent, name) => {
  expect(agentName(agent)).toBe(name)
})
