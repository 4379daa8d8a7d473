import { toApiError } from '../api-error.ts'

/** One message of server-sent events; a comment is one without data. */
export interface StreamMessage {
  readonly id: string | undefined
  readonly event: string
  readonly data: string
}

/** Every 20 seconds the server says something. A connection that says nothing for so long is dead, whatever the browser believes. */
const silenceMs = 50_000

/**
 * Reads a stream of server-sent events until it ends. It is `fetch` and not `EventSource`, which neither says why a server
 * refuses nor notices that a connection is dead.
 * @throws ApiError when the server refuses
 */
export const readStream = async (
  url: string,
  signal: AbortSignal,
  onMessage: (message: StreamMessage) => void,
): Promise<void> => {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), silenceMs)
  try {
    const response = await fetch(url, { cache: 'no-store', signal: AbortSignal.any([signal, silence.signal]) })
    if (!response.ok || response.body === null) throw await toApiError(response)
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    const messages = makeParser(onMessage)
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), silenceMs)
      messages(value)
    }
  } finally {
    clearTimeout(timer)
  }
}

/** Makes messages of a text that comes in pieces (WHATWG HTML, section 9.2.6). */
export const makeParser = (onMessage: (message: StreamMessage) => void): ((piece: string) => void) => {
  let rest = ''
  return (piece) => {
    const blocks = (rest + piece).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) onMessage(toMessage(block.split('\n')))
  }
}

const toMessage = (lines: readonly string[]): StreamMessage => {
  const fields = lines.map((line) => /^([^:]*):? ?(.*)$/.exec(line)?.slice(1) ?? [])
  const valuesOf = (name: string) => fields.filter(([field]) => field === name).map(([, value]) => value ?? '')
  return { id: valuesOf('id').at(-1), event: valuesOf('event').at(-1) ?? 'message', data: valuesOf('data').join('\n') }
}
