import { expect, test } from 'vitest'
import { makeParser, type StreamMessage } from './read-stream.ts'

const parsed = (pieces: readonly string[]): StreamMessage[] => {
  const messages: StreamMessage[] = []
  const parse = makeParser((message) => messages.push(message))
  for (const piece of pieces) parse(piece)
  return messages
}

test('messages are the same wherever the text is cut', () => {
  const text =
    'retry: 3000\nid: a-1\nevent: ready\ndata: {}\n\n:\nid: a-2\n\nid: a-3\nevent: mail\ndata: {"a":\ndata: "b: c"}\n\n'
  const expected = [
    { id: 'a-1', event: 'ready', data: '{}' },
    { id: 'a-2', event: 'message', data: '' },
    { id: 'a-3', event: 'mail', data: '{"a":\n"b: c"}' },
  ]
  expect(parsed([text])).toStrictEqual(expected)
  expect(parsed(text.split(''))).toStrictEqual(expected)
})

test('a message that is not complete is not told', () => {
  expect(parsed(['id: a-1\nevent: mail\ndata: {}\n'])).toStrictEqual([])
})
