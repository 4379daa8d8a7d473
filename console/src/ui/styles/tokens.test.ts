import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8')

const tokensOf = (selector: string): Map<string, string> => {
  const block = css.split(`${selector} {`)[1]?.split('}')[0] ?? ''
  return new Map(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{3,6});/g)].map(([, name, value]) => [name ?? '', value ?? '']),
  )
}

const light = tokensOf(':root')
const schemes = { light, dark: new Map([...light, ...tokensOf("[data-mantine-color-scheme='dark']")]) }

/** Relative luminance of an sRGB colour (WCAG 2.2). */
const luminance = (hex: string): number => {
  const full = hex.length === 4 ? hex.slice(1).replaceAll(/./g, '$&$&') : hex.slice(1)
  const [red = 0, green = 0, blue = 0] = [0, 2, 4]
    .map((at) => Number.parseInt(full.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrast = (one: string, other: string): number => {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

const grounds = ['paper', 'surface', 'sunken'] as const
/** Text and what it stands on. */
const pairs: readonly (readonly [string, string])[] = [
  ...grounds.flatMap((ground) =>
    ['ink', 'muted', 'accent', 'ok', 'bad', 'wait'].map((text) => [text, ground] as const),
  ),
  ...['paper', 'surface'].map((ground) => ['faint', ground] as const),
  ...['ink', 'muted', 'accent', 'bad', 'wait', 'ok'].map((text) => [text, 'accent-soft'] as const),
  ...['ok', 'bad', 'wait', 'idle'].flatMap((outcome) => [
    [outcome, `${outcome}-soft`] as const,
    ['ink', `${outcome}-soft`] as const,
  ]),
  ['on-accent', 'accent'],
  ['paper', 'ink'],
]

describe.each(Object.entries(schemes))('the %s tokens', (_, tokens) => {
  test.each(pairs)('%s on %s can be read (AA, 4.5 : 1)', (text, ground) => {
    const [front, back] = [tokens.get(text), tokens.get(ground)]
    expect([front, back]).not.toContain(undefined)
    expect(contrast(front ?? '', back ?? '')).toBeGreaterThanOrEqual(4.5)
  })
})
