/** A raw text in its parts: what was asked or answered, as whoever reports wrote it down. */
export interface Message {
  /** Method and address, status, headers: whatever stands before the body. */
  readonly head: string
  readonly body: string
  /** HTTP status of an answer, where the text begins with one. */
  readonly status: number | undefined
}

const statusLine = /^(?:HTTP\/[\d.]+\s+|HTTP\s+)?([1-5]\d\d)\b/

/** Splits a raw text before the JSON that it ends with, else at its first empty line. Reporters have no common form. */
export const messageOf = (raw: string): Message => {
  const status = statusLine.exec(raw.trimStart())?.[1]
  const at = jsonStart(raw) ?? bodyStart(raw)
  const head = at === undefined ? '' : raw.slice(0, at)
  return {
    head: head.replace(/[\s-]+$/, ''),
    body: at === undefined ? raw : raw.slice(at),
    status: status === undefined ? undefined : Number(status),
  }
}

/** Where the JSON begins that the text ends with; few places are tried, so that a long text stays cheap. */
const jsonStart = (raw: string): number | undefined => {
  const starts = [...raw.slice(0, 8_192).matchAll(/[[{]/g)].map(({ index }) => index).slice(0, 12)
  return starts.find((index) => isJson(raw.slice(index)))
}

const isJson = (text: string): boolean => {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}

const bodyStart = (raw: string): number | undefined => {
  const blank = /\r?\n\r?\n/.exec(raw)
  return blank === null ? undefined : blank.index + blank[0].length
}
