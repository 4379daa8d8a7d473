const browsers = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'] as const
const systems = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS X', 'Linux'] as const
const names: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS X': 'macOS' }

/** What a browser calls itself, short; the first word of what other programs do. Undefined for nothing. */
export const agentName = (agent: string): string | undefined => {
  const found = [browsers.find((one) => agent.includes(`${one}/`)), systems.find((one) => agent.includes(one))]
  const words = found.flatMap((one) => (one === undefined ? [] : [names[one] ?? one]))
  return words.length === 0 ? agent.split(' ')[0] || undefined : words.join(', ')
}
