import { readFileSync } from 'node:fs'
import { CommandFailure, exitCodes } from '../failure.ts'

/** The text of a file, or of standard input where the file is `-`. @throws CommandFailure when it cannot be read. */
export const readText = (file: string): string => {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    throw new CommandFailure(`${file} cannot be read: ${(error as Error).message}`, exitCodes.notFound)
  }
}

/** @param what names it in the sentence about text that is no JSON. */
export const parseJson = (text: string, what: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new CommandFailure(`${what} is no JSON: ${(error as Error).message}`, exitCodes.wrongUsage)
  }
}
