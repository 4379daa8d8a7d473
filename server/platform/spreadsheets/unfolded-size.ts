/** A file that is no spreadsheet, or a broken one. */
export class UnreadableSheet extends Error {
  override readonly name = 'UnreadableSheet'
}

/** A spreadsheet of which reading would take too much memory or time. */
export class SheetTooLarge extends Error {
  override readonly name = 'SheetTooLarge'
}

/** Most bytes of the parts of a file together. 20,000 rows of ten cells are a third of it. */
const maxUnfoldedBytes = 32 * 1024 ** 2

const endSignature = 0x06054b50
const endBytes = 22
const entrySignature = 0x02014b50
const entryBytes = 46

/** What deflate makes of nothing. */
const nothingBytes = 2
/** A flag: the size may be said behind the part instead. */
const sizeIsBehind = 8

/**
 * Looks at what the directory of a zip file says, before anything is unfolded: a megabyte can unfold to a thousand. Whoever reads the
 * parts takes no more of each than it says here. What could be read in two ways is refused, so that there is nothing else to find:
 * the directory is at the end of the file, without a comment, and every part says its size there.
 * @throws UnreadableSheet; SheetTooLarge.
 */
export const checkUnfoldedSize = (bytes: Buffer): void => {
  const unfolded = [...entriesOf(bytes)].reduce((sum, at) => sum + sizeOfEntry(bytes, at), 0)
  if (unfolded > maxUnfoldedBytes) throw new SheetTooLarge(`Its parts are ${unfolded} bytes.`)
}

/** Where the directory says something of a part. @throws UnreadableSheet; SheetTooLarge. */
export const entriesOf = function* (bytes: Buffer): Generator<number> {
  const end = bytes.length - endBytes
  if (end < 0 || bytes.readUInt32LE(end) !== endSignature) throw new UnreadableSheet('This is not a whole zip file.')
  const entries = bytes.readUInt16LE(end + 10)
  const directoryBytes = bytes.readUInt32LE(end + 12)
  let at = bytes.readUInt32LE(end + 16)
  // Then it is said elsewhere, for files of more than 4 GB.
  if (entries === 0xffff || directoryBytes === 0xffffffff || at === 0xffffffff)
    throw new SheetTooLarge('It is made for a larger file.')
  for (let entry = 0; entry < entries; entry += 1) {
    if (at + entryBytes > bytes.length || bytes.readUInt32LE(at) !== entrySignature)
      throw new UnreadableSheet('The directory of the zip file is broken.')
    yield at
    at += entryBytes + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
}

const sizeOfEntry = (bytes: Buffer, at: number): number => {
  const folded = bytes.readUInt32LE(at + 20)
  const unfolded = bytes.readUInt32LE(at + 24)
  const isSaidBehind = (bytes.readUInt16LE(at + 8) & sizeIsBehind) !== 0 && folded === 0
  const isSaid = !isSaidBehind && (unfolded === 0 ? folded <= nothingBytes : folded > 0)
  if (!isSaid) throw new UnreadableSheet('A part of the zip file does not say its size.')
  return unfolded
}
