import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { asUnavailable, DatabaseUnavailable } from './database-unavailable.ts'

const ofServer = (code: string): Error => Object.assign(new pg.DatabaseError(code, 0, 'error'), { code })
const ofNetwork = (code: string): Error => Object.assign(new Error(code), { code, syscall: 'read' })

describe('an error of the database client', () => {
  test.each([
    ofNetwork('ECONNRESET'),
    ofNetwork('ECONNREFUSED'),
    Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' }),
    new Error('Connection terminated unexpectedly'),
    new Error('Client has encountered a connection error and is not queryable'),
    new Error('timeout exceeded when trying to connect'),
    ofServer('57P01'),
    ofServer('57P03'),
    ofServer('08006'),
    ofServer('53300'),
    ofServer('53100'),
    ofServer('57014'),
    ofServer('58030'),
    ofServer('25006'),
    ofServer('28P01'),
    ofServer('28000'),
    ofServer('3D000'),
  ])('means that the database is not available: %s', (error) => {
    const unavailable = asUnavailable(error)
    expect(unavailable).toBeInstanceOf(DatabaseUnavailable)
    expect(unavailable).toMatchObject({ cause: error })
  })

  test.each([ofServer('23505'), ofServer('25P02'), ofServer('40001'), new TypeError('Query values must be an array')])(
    'stays what it is: %s',
    (error) => expect(asUnavailable(error)).toBe(error),
  )
})
