import { TooManyRows } from '#platform/spreadsheets/table-file.ts'

/** Why an export failed, in words for its user, who is not to see what a database or another machine said. */
export const troubles = {
  read: 'The rows could not be read from the database. The log of the server says why.',
  write: 'The file could not be written. The log of the server says why.',
  keep: 'The file could not be put where exports are kept. The log of the server says why.',
  /** Its time was up, or a process died. */
  unfinished: 'The server did not get the file done. Its log says why.',
} as const

/** A step of a try that failed; the cause, for the log, says why. */
export class ExportTrouble extends Error {
  override readonly name = 'ExportTrouble'
}

/** Does a step of a try. @throws ExportTrouble that says which; TooManyRows. */
export const during = async <T>(step: keyof typeof troubles, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw asTrouble(step, error)
  }
}

/** Rows whose reading is a step of its own, while another one writes them. */
export async function* readDuring<T>(step: keyof typeof troubles, rows: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* rows
  } catch (error) {
    throw asTrouble(step, error)
  }
}

const asTrouble = (step: keyof typeof troubles, error: unknown): unknown =>
  error instanceof ExportTrouble || error instanceof TooManyRows
    ? error
    : new ExportTrouble(troubles[step], { cause: error })
