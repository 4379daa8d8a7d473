import { formatNumber } from '#ui/texts/format.ts'

interface ItemsTableProps<Item> {
  readonly items: readonly Item[]
  readonly skuTitle: string
  readonly figures: readonly { readonly title: string; readonly of: (item: Item) => number }[]
}

/** What is in it, by sku. */
export const ItemsTable = <Item extends { readonly sku: string }>({
  items,
  skuTitle,
  figures,
}: ItemsTableProps<Item>) => (
  <table className="table">
    <thead>
      <tr>
        <th scope="col">{skuTitle}</th>
        {figures.map(({ title }) => (
          <th key={title} scope="col" className="num">
            {title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {items.map((item) => (
        <tr key={item.sku}>
          <td>
            <code>{item.sku}</code>
          </td>
          {figures.map(({ title, of }) => (
            <td key={title} className="num">
              {formatNumber(of(item))}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)
