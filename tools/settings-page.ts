import { configHelp } from '#platform/config.ts'

/** Where the page is kept, from the root of the project. */
export const settingsFile = 'docs/settings.md'

interface Setting {
  readonly text: string
  /** What it is without being set; empty: nothing. */
  readonly value: string
}

/** Each setting with its default, as `npm start -- --help` lists it. */
export const readSettings = (): ReadonlyMap<string, Setting> =>
  new Map(
    [...configHelp().matchAll(/^ {2}([A-Z][A-Z0-9_]+) +(.*)$/gm)].map(([, name = '', meaning = '']) => {
      const [, text = meaning, value = ''] = / Default: http:/.test(meaning)
        ? []
        : (/^(.*?) Default: (.*)\.$/.exec(meaning) ?? [])
      return [name, { text, value }]
    }),
  )

/** Every setting of the server, in Markdown. */
export const settingsPage = (): string => {
  const rows = [...readSettings()].map(
    ([name, { text, value }]) =>
      `| \`${name}\` | ${value === '' ? '' : `\`${value}\``} | ${text.replaceAll('|', '\\|')} |`,
  )
  return `${introduction}\n\n${['| Setting | Default | What |', '|---|---|---|', ...rows].join('\n')}\n`
}

const introduction = `# Settings

<!-- Generated from server/platform/config.ts by \`npm run docs:settings\`. Change it there. -->

Every environment variable that the server reads, also from a \`.env\` file in its directory ([.env.example](../.env.example)); the
environment itself wins. \`npm start -- --help\` lists the same. What they are for: [operating.md](operating.md).`
