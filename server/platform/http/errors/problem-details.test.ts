import { describe, expect, test } from 'vitest'
import { AppError, conflict, invalidField, notAuthenticated, notFound, ruleBroken } from '../../errors.ts'
import { shapeFor } from './error-shapes.ts'
import { problemDetails } from './problem-details.ts'

const shape = problemDetails('/api/engine')

describe('problem details', () => {
  test.each<[string, AppError, object]>([
    ['a missing object', notFound(), { title: 'Not Found', status: 404, detail: 'Not found.' }],
    [
      'no credential',
      notAuthenticated('Invalid token.'),
      { title: 'Unauthorized', status: 401, detail: 'Invalid token.' },
    ],
    [
      'a wrong field, by its path',
      invalidField('target.url', 'Expected a URL.'),
      {
        title: 'Bad Request',
        status: 400,
        detail: 'The request has fields that are not valid.',
        errors: { 'target.url': ['Expected a URL.'] },
      },
    ],
    [
      'a broken rule, by its code',
      ruleBroken('too_late', 'It is too late.', ['cancel']),
      { title: 'Bad Request', status: 400, detail: 'It is too late.', code: 'too_late', allowed_actions: ['cancel'] },
    ],
    [
      'a conflict, by its code',
      conflict('flow_inbound', 'The flow takes no data.'),
      { title: 'Conflict', status: 409, detail: 'The flow takes no data.', code: 'flow_inbound' },
    ],
    [
      'a status that nobody registered',
      new AppError('odd', 499, 'Odd.'),
      { title: 'Error', status: 499, detail: 'Odd.' },
    ],
  ])('tell of %s', (_, error, body) => {
    expect(shape.render(error)).toEqual({
      contentType: 'application/problem+json',
      body: { type: 'about:blank', ...body },
    })
  })
})

describe('the shape of a path', () => {
  const inner = { ...problemDetails('/api/engine/login'), isExact: true } as const
  test.each([
    ['/api/engine', shape],
    ['/api/engine/flows?x=/api/engine/login', shape],
    ['/api/engine/login', inner],
    ['/api/engine/login/', inner],
    ['/api/engine/login?a=b', inner],
    ['/api/engine/login#a', inner],
    ['/api/engine/%6Cogin/', inner],
    ['/api/engine%2Flogin', undefined],
    ['/api/engine/%zz', shape],
    ['/api/engine/login/more', shape],
    ['/api/engine/logins', shape],
    ['/api/engineer', undefined],
    ['/', undefined],
  ])('%s is that of the longest prefix, and an exact one is of no path below it', (url, expected) => {
    const found = shapeFor([inner, shape], url)
    expect(found.prefix).toBe(expected?.prefix ?? '/')
  })
})
