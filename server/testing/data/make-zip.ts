import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipPart {
  readonly name: string
  readonly content: string | Buffer
  /** What the directory says of its size, where that is not true. */
  readonly saidBytes?: number
  /** As it is, and not deflated. */
  readonly isStored?: boolean
}

/** A zip file, of parts that say what they like. */
export const makeZip = (parts: readonly ZipPart[]): Buffer => {
  const heads: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const { name, content, saidBytes, isStored = false } of parts) {
    const bytes = Buffer.from(content)
    const folded = isStored ? bytes : deflateRawSync(bytes)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(isStored ? 0 : 8, 4)
    fields.writeUInt32LE(crc32(bytes), 10)
    fields.writeUInt32LE(folded.length, 14)
    fields.writeUInt32LE(saidBytes ?? bytes.length, 18)
    fields.writeUInt16LE(name.length, 22)
    heads.push(Buffer.from('PK\u0003\u0004'), fields, Buffer.from(name), folded)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(at, 10)
    directory.push(Buffer.from('PK\u0001\u0002\u0014\u0000'), fields, rest, Buffer.from(name))
    at += 30 + name.length + folded.length
  }
  const end = Buffer.alloc(18)
  end.writeUInt16LE(parts.length, 4)
  end.writeUInt16LE(parts.length, 6)
  end.writeUInt32LE(Buffer.concat(directory).length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...heads, ...directory, Buffer.from('PK\u0005\u0006'), end])
}

const xmlns = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const ofPackage = 'http://schemas.openxmlformats.org/package/2006'

/** The parts of an xlsx, with this in its sheet and among its texts. */
export const sheetParts = ({
  rows = '',
  texts = '',
}: {
  readonly rows?: string
  readonly texts?: string
}): ZipPart[] => [
  {
    name: '[Content_Types].xml',
    content: `<Types xmlns="${ofPackage}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
  },
  {
    name: '_rels/.rels',
    content: `<Relationships xmlns="${ofPackage}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  },
  {
    name: 'xl/workbook.xml',
    content: `<workbook xmlns="${xmlns}" xmlns:r="${relations}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  },
  {
    name: 'xl/_rels/workbook.xml.rels',
    content: `<Relationships xmlns="${ofPackage}/relationships"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relations}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
  },
  { name: 'xl/sharedStrings.xml', content: `<sst xmlns="${xmlns}">${texts}</sst>` },
  {
    name: 'xl/worksheets/sheet1.xml',
    content: `<worksheet xmlns="${xmlns}"><sheetData>${rows}</sheetData></worksheet>`,
  },
]
