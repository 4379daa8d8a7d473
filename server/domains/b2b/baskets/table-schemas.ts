import { Type } from 'typebox'
import { operationsFor } from '#platform/http/route-options.ts'
import { OneOf } from '#platform/http/schemas.ts'
import { typeOf } from '#platform/http/table-body.ts'
import { tableFormats } from '#platform/spreadsheets/table-file.ts'
import { tableFile } from '#platform/spreadsheets/table-answer.ts'
import { maxRows } from '../imports/index.ts'
import { BasketShape, route } from './schemas.ts'
import { exportColumns } from './table-columns.ts'

const read = operationsFor({ access: { role: 'user', scope: 'quotations:read' }, also: [429] })
const write = operationsFor({ access: { role: 'user', scope: 'quotations:write' }, also: [429] })

export const exportOptions = route(
  read(
    'exportBasket',
    'Fetch the basket of the caller as a table',
    `A row for each product and division, in the order in which they were put in. Columns: ${exportColumns.map(({ name }) => name).join(', ')}. ` +
      "It can be changed and imported again. In csv a text that a spreadsheet would take for a formula begins with `'`, which an import takes off.",
  ),
  {
    querystring: Type.Object({
      format: OneOf(tableFormats, { default: 'xls', description: 'Those that are imported are csv and xlsx.' }),
    }),
    response: { 200: tableFile('The file, with its name in `Content-Disposition`.') },
  },
)

const example = 'product_remote_id,division,quantity\r\n1001,ANK-1,600\r\n1002,12,0\r\n'

export const importOptions = route(
  write(
    'importBasket',
    'Fill the basket from a table',
    `A csv (RFC 4180, UTF-8) or xlsx (its first sheet) of at most 1 MiB and ${maxRows} rows, whose first row names its columns: ` +
      '`product_remote_id` or `sku`, `division` (an id, or an ERP code in any case; may be left out by whoever orders for one division ' +
      'alone) and `quantity`, which is set; 0 removes. The other columns of an export may be there, and are not read. Rows that ' +
      'are not there stay as they are in the basket. Either all of the table is done, or nothing: then 400 says what is wrong, by ' +
      'row as a spreadsheet counts, and column (`rows.2.quantity`), the first 1,000.',
  ),
  {
    consumes: [typeOf.csv, typeOf.xlsx],
    querystring: Type.Object({
      dry_run: Type.Boolean({
        default: false,
        description: 'Answer the basket that it would leave, and change nothing.',
      }),
      replace: Type.Boolean({
        default: false,
        description: 'Empty the basket first: what the table does not have is removed.',
      }),
    }),
    body: Type.Unsafe<Buffer>({ description: 'The table.', examples: [example] }),
    response: { 200: BasketShape },
  },
)
