/** Records of BIFF8, [MS-XLS] 2.4: a number of 16 bits that says what it is, its length, and at most as many bytes. */

export const recordHeaderBytes = 4
export const maxRecordBytes = 8224

/** The header of a record. */
export const record = (id: number, length: number): Buffer => {
  const header = Buffer.alloc(recordHeaderBytes)
  header.writeUInt16LE(id)
  header.writeUInt16LE(length, 2)
  return header
}

/** A record with these bytes, in hexadecimal. */
const whole = (id: number, hex = ''): Buffer => {
  const body = Buffer.from(hex.replaceAll(' ', ''), 'hex')
  return Buffer.concat([record(id, body.length), body])
}

const hex16 = (...numbers: readonly number[]): string =>
  numbers.map((number) => Buffer.from([number % 256, Math.floor(number / 256)]).toString('hex')).join('')
const hex32 = (number: number): string => hex16(number % 2 ** 16, Math.floor(number / 2 ** 16))
/** A text of Latin-1 behind its length, a byte. */
const hexText = (text: string): string =>
  Buffer.from(`${String.fromCharCode(text.length)}\0${text}`, 'latin1').toString('hex')

/** Number formats from here on are those of the file. */
const ownFormat = 164

/** Which formats of cells (XF) texts and numbers have, and times; the first 15 are those of styles. */
export const plainFormat = 15
export const timeFormatIndex = 16

/** Excel, 1997: what readers expect BIFF8 to be written by. */
const beginning = (kind: '0500' | '1000'): Buffer => whole(0x0809, `0006 ${kind} bb0d cc07 c1000000 06000000`)

export const endOfRecords = whole(0x000a)

const styleFormat = whole(0x00e0, '0000 0000 f5ff 20 00 00 00 00000000 00000000 c020')

/**
 * All records in front of the table of texts. Their length does not depend on where the sheet is.
 * @param sheetAt where the records of the sheet begin in the stream.
 */
export const workbookRecords = (sheet: string, timeFormat: string, sheetAt: number): Buffer =>
  Buffer.concat([
    beginning('0500'),
    // INTERFACEHDR, MMS, INTERFACEEND, WRITEACCESS, CODEPAGE (UTF-16), DSF, TABID
    whole(0x00e1, 'b004'),
    whole(0x00c1, '0000'),
    whole(0x00e2),
    whole(0x005c, `0000 00 ${'20'.repeat(109)}`),
    whole(0x0042, 'b004'),
    whole(0x0161, '0000'),
    whole(0x013d, '0100'),
    // WINDOW1: place and size on the screen, one sheet
    whole(0x003d, '6801 0e01 5c3a be23 3800 0000 0000 0100 5802'),
    // DATE1904: no
    whole(0x0022, '0000'),
    // FONT: 10 points, of the four that are always there
    ...Array.from({ length: 4 }, () => whole(0x0031, `c800 0000 ff7f 9001 0000 00 00 00 00 ${hexText('Arial')}`)),
    // FORMAT
    whole(0x041e, `${hex16(ownFormat, timeFormat.length)} 00 ${Buffer.from(timeFormat).toString('hex')}`),
    // XF: those of styles, then `plainFormat` and `timeFormatIndex`
    ...Array.from({ length: plainFormat }, () => styleFormat),
    whole(0x00e0, '0000 0000 0100 20 00 00 00 00000000 00000000 c020'),
    whole(0x00e0, `0000 ${hex16(ownFormat)} 0100 20 00 00 04 00000000 00000000 c020`),
    // STYLE: Normal
    whole(0x0293, '0080 00 ff'),
    // BOUNDSHEET8
    whole(0x0085, `${hex32(sheetAt)} 0000 ${hexText(sheet)}`),
  ])

/** All records of the sheet in front of its cells. @param widths of its columns, in characters. */
export const sheetRecords = (widths: readonly number[], rows: number): Buffer =>
  Buffer.concat([
    beginning('1000'),
    // DEFCOLWIDTH, COLINFO, DIMENSIONS
    whole(0x0055, '0800'),
    ...widths.map((width, column) => whole(0x007d, hex16(column, column, width * 256, plainFormat, 0, 0))),
    whole(0x0200, `00000000 ${hex32(rows)} ${hex16(0, widths.length, 0)}`),
  ])

/** All records of the sheet behind its cells: WINDOW2, selected and shown, and the end. */
export const sheetEnd = Buffer.concat([whole(0x023e, 'b606 0000 0000 4000 0000 0000 0000 00000000'), endOfRecords])

const blockBytes = 65_536

/** The cells of a sheet, in memory: 14 bytes for a text, 18 for a number. */
export class CellRecords {
  readonly #full: Buffer[] = []
  #block = Buffer.alloc(blockBytes)
  #end = 0

  get blocks(): readonly Buffer[] {
    return [...this.#full, this.#block.subarray(0, this.#end)]
  }

  /** LABELSST. @param index in the table of texts. */
  addText(row: number, column: number, index: number): void {
    this.#begin([0x00fd, 10, row, column, plainFormat])
    this.#end = this.#block.writeUInt32LE(index, this.#end)
  }

  /** NUMBER */
  addNumber(row: number, column: number, value: number, format: number): void {
    this.#begin([0x0203, 14, row, column, format])
    this.#end = this.#block.writeDoubleLE(value, this.#end)
  }

  #begin(start: readonly number[]): void {
    if (this.#end + maxCellBytes > blockBytes) {
      this.#full.push(this.#block.subarray(0, this.#end))
      this.#block = Buffer.alloc(blockBytes)
      this.#end = 0
    }
    for (const part of start) this.#end = this.#block.writeUInt16LE(part, this.#end)
  }
}

const maxCellBytes = 18
