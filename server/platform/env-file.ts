import { parseEnv } from 'node:util'
import { nearestTo } from './text-distance.ts'

/** A setting whose value is in quotes, which may go over several lines. */
const quoted = /^[ \t]*(?:export[ \t]+)?[\w.-]+[ \t]*=[ \t]*(["'`])[^]*?\1/gm

/** Names that other programs read: Node.js, npm, PostgreSQL's client, SDKs, Docker Compose, the shell, and this project's tests. */
const ofOthers =
  /^(NODE_(?!ENV?$)|NPM_|UV_|PG[A-Z]|POSTGRES_|AWS_|OTEL_|COMPOSE_|DOCKER_|LC_|SSL_|TEST_)|^(TZ|LANG|PATH|HOME|USER|(HTTPS?|NO|ALL)_PROXY|(NO|FORCE)_COLOR)$/i

/** What reads as a name and not as a key: in one case, and not too long. */
const plainName = /^([A-Z][A-Z0-9_]{0,39}|[a-z][a-z0-9_]{0,39})$/

/**
 * What a .env file says in vain, in sentences: lines that set nothing and are neither empty nor comments, which Node.js
 * passes over in silence, and names that are no setting. Never a line or a value: a key pasted without its name is still a
 * key, also when an equals sign ends it.
 */
export const envFileWarnings = (text: string, settings: readonly string[]): string[] => [
  ...strayLines(text).map((line) => `Line ${line} of .env is left out: it is no NAME=value.`),
  ...Object.entries(parseEnv(text))
    .filter(([name]) => !settings.includes(name) && !ofOthers.test(name))
    .map(([name, value]) =>
      plainName.test(name) && /[^=]/.test(value ?? '')
        ? `${name} in .env is no setting and changes nothing.${suggestion(name, settings)}`
        : `Line ${lineOf(name, text)} of .env sets what is no setting, and changes nothing.${seeHelp}`,
    ),
]

const seeHelp = ' npm start -- --help lists all settings.'

const suggestion = (name: string, settings: readonly string[]): string => {
  const nearest = nearestTo(name.toUpperCase(), settings)
  return nearest === undefined ? seeHelp : ` Did you mean ${nearest}?`
}

const lineOf = (name: string, text: string): number => text.split('\n').findIndex((line) => line.includes(name)) + 1

/** @returns numbers of lines, from 1. */
const strayLines = (text: string): number[] =>
  text
    .replaceAll(quoted, (setting) => `=${setting.replaceAll(/[^\n]/g, '')}`)
    .split('\n')
    .flatMap((line, index) => (/^\s*(#|$)|=/.test(line) ? [] : [index + 1]))
