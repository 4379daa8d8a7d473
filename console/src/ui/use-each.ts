import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { ApiError } from '#api/api-error.ts'
import { toApiError } from '#api/api-error.ts'

/** What became of one row: done, or why not. */
export interface Told<Row> {
  readonly row: Row
  readonly error?: ApiError
}

interface Run<Row> {
  readonly total: number
  readonly told: readonly Told<Row>[]
  readonly isRunning: boolean
}

/**
 * Does something to each of some rows, one after the other, with a request for each, and keeps what became of it. The rows that
 * have had their turn stay done when it is ended early. Everything on the screen is asked for again in the end.
 */
export const useEach = <Row>() => {
  const queries = useQueryClient()
  const [state, setState] = useState<Run<Row>>()
  const wanted = useRef(true)
  const start = async (rows: readonly Row[], act: (row: Row) => Promise<unknown>): Promise<void> => {
    wanted.current = true
    let told: readonly Told<Row>[] = []
    setState({ total: rows.length, told, isRunning: true })
    for (const row of rows) {
      if (!wanted.current) break
      const error = await act(row).then(() => undefined, toApiError)
      told = [...told, error === undefined ? { row } : { row, error }]
      setState({ total: rows.length, told, isRunning: true })
    }
    setState({ total: rows.length, told, isRunning: false })
    await queries.invalidateQueries()
  }
  return {
    state,
    start: (rows: readonly Row[], act: (row: Row) => Promise<unknown>): void => void start(rows, act),
    /** Ends it after the row that has its turn. */
    cancel: (): void => {
      wanted.current = false
    },
  }
}

export type Each<Row> = ReturnType<typeof useEach<Row>>
