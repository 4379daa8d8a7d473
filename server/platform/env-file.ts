/** A setting whose value is in quotes, which may go over several lines. */
const quoted = /^[ \t]*(?:export[ \t]+)?[\w.-]+[ \t]*=[ \t]*(["'`])[^]*?\1/gm

/**
 * Lines of a .env file that set nothing, and are neither empty nor comments: Node.js passes over them in silence.
 * @returns their numbers, from 1. Not the lines themselves: a key that was pasted without its name is still a key.
 */
export const strayLines = (text: string): number[] =>
  text
    .replaceAll(quoted, (setting) => `=${setting.replaceAll(/[^\n]/g, '')}`)
    .split('\n')
    .flatMap((line, index) => (/^\s*(#|$)|=/.test(line) ? [] : [index + 1]))
