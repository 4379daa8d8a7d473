/** Bytes of a sector; the header takes as many. */
export const sectorBytes = 512

/** The largest stream of version 3, [MS-CFB] 2.6.3. */
export const maxStreamBytes = 0x80_00_00_00

/** Shorter streams would stand in the mini stream, which this file does not have. */
const minStreamBytes = 4096

/** What a sector of the allocation table says instead of the next one, [MS-CFB] 2.1. */
const endOfChain = 0xff_ff_ff_fe
const allocationSector = 0xff_ff_ff_fd
const listSector = 0xff_ff_ff_fc
const noStream = 0xff_ff_ff_ff

/** Sectors whose next one a sector of the allocation table (FAT) says. */
const entriesOfSector = sectorBytes / 4
/** Sectors of that table that the header lists; the others are listed in sectors of their own (DIFAT), which link to each other. */
const listedInHeader = 109
const listedInSector = entriesOfSector - 1

/**
 * A compound file of one stream, `Workbook`, whose bytes stand directly behind the header: [MS-CFB], version 3.
 * @returns the header, and what follows the stream: padding, directory, allocation table, and the list of its sectors.
 */
export const compoundFile = (streamBytes: number): { readonly header: Buffer; readonly trailer: Buffer } => {
  const size = Math.max(streamBytes, minStreamBytes)
  const directoryAt = Math.ceil(size / sectorBytes)
  const { tableSectors, lists } = sectorsOfTable(directoryAt + 1)
  const tableAt = directoryAt + 1
  const listsAt = tableAt + tableSectors

  const table = Buffer.alloc(tableSectors * sectorBytes, 0xff)
  for (let sector = 0; sector < directoryAt; sector += 1) table.writeUInt32LE(sector + 1, 4 * sector)
  for (const last of [directoryAt - 1, directoryAt]) table.writeUInt32LE(endOfChain, 4 * last)
  for (let sector = tableAt; sector < listsAt; sector += 1) table.writeUInt32LE(allocationSector, 4 * sector)
  for (let sector = listsAt; sector < listsAt + lists; sector += 1) table.writeUInt32LE(listSector, 4 * sector)

  const header = headerOf({ tableSectors, directoryAt, lists, listsAt })
  const list = Buffer.alloc(lists * sectorBytes, 0xff)
  for (let index = 0; index < tableSectors; index += 1) {
    const beyond = index - listedInHeader
    if (beyond < 0) header.writeUInt32LE(tableAt + index, 76 + 4 * index)
    else list.writeUInt32LE(tableAt + index, 4 * (beyond + Math.floor(beyond / listedInSector)))
  }
  for (let sector = 1; sector <= lists; sector += 1)
    list.writeUInt32LE(sector === lists ? endOfChain : listsAt + sector, sector * sectorBytes - 4)

  const padding = Buffer.alloc(directoryAt * sectorBytes - streamBytes)
  return { header, trailer: Buffer.concat([padding, directoryOf(size), table, list]) }
}

/** The table has an entry for each sector, its own and those of its list among them. */
const sectorsOfTable = (others: number): { tableSectors: number; lists: number } => {
  for (let tableSectors = 1, lists = 0; ;) {
    const wanted = Math.ceil((others + tableSectors + lists) / entriesOfSector)
    if (wanted <= tableSectors) return { tableSectors, lists }
    tableSectors = wanted
    lists = Math.max(0, Math.ceil((tableSectors - listedInHeader) / listedInSector))
  }
}

interface Layout {
  readonly tableSectors: number
  readonly directoryAt: number
  readonly lists: number
  readonly listsAt: number
}

/** [MS-CFB] 2.2. What is not written is zero, or in the list of sectors at its end, free. */
const headerOf = ({ tableSectors, directoryAt, lists, listsAt }: Layout): Buffer => {
  const header = Buffer.alloc(sectorBytes).fill(0xff, 76)
  header.write('d0cf11e0a1b11ae1', 'hex')
  // Versions 3 and 3E of the format, byte order, and sectors of 2⁹ and 2⁶ bytes.
  header.write('3e000300feff09000600', 24, 'hex')
  header.writeUInt32LE(tableSectors, 44)
  header.writeUInt32LE(directoryAt, 48)
  header.writeUInt32LE(minStreamBytes, 56)
  header.writeUInt32LE(endOfChain, 60)
  header.writeUInt32LE(lists === 0 ? endOfChain : listsAt, 68)
  header.writeUInt32LE(lists, 72)
  return header
}

const root = 5
const stream = 2

/** [MS-CFB] 2.6: the root, the stream below it, and two entries that are free. */
const directoryOf = (size: number): Buffer =>
  Buffer.concat([
    entry({ name: 'Root Entry', type: root, child: 1, start: endOfChain, size: 0 }),
    entry({ name: 'Workbook', type: stream, child: noStream, start: 0, size }),
    entry({ name: '', type: 0, child: noStream, start: 0, size: 0 }),
    entry({ name: '', type: 0, child: noStream, start: 0, size: 0 }),
  ])

interface Entry {
  readonly name: string
  readonly type: number
  readonly child: number
  readonly start: number
  readonly size: number
}

const entry = ({ name, type, child, start, size }: Entry): Buffer => {
  const bytes = Buffer.alloc(128)
  bytes.write(name, 'utf16le')
  bytes.writeUInt16LE(name === '' ? 0 : 2 * (name.length + 1), 64)
  bytes.writeUInt8(type, 66)
  // Black: a tree of one needs no balance.
  bytes.writeUInt8(1, 67)
  bytes.writeUInt32LE(noStream, 68)
  bytes.writeUInt32LE(noStream, 72)
  bytes.writeUInt32LE(child, 76)
  bytes.writeUInt32LE(start, 116)
  bytes.writeUInt32LE(size, 120)
  return bytes
}
