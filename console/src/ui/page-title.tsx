import { useId, useLayoutEffect } from 'react'

interface PageTitleProps {
  readonly children: string
  /** Details beside their list have a heading of the second level: a page has one h1. */
  readonly isBeside?: boolean
}

/** The titles that are on the page; details beside a list come before the list. */
const shown = new Map<string, Required<PageTitleProps>>()

const titleDocument = (): void => {
  const titles = [...shown.values()]
  const title = titles.findLast(({ isBeside }) => isBeside) ?? titles.at(-1)
  if (title !== undefined) document.title = `${title.children} · Waybill`
}

/** The title of a page or of the details beside it, and of the document, which is what a change of page is announced by. */
export const PageTitle = ({ children, isBeside = false }: PageTitleProps) => {
  const id = useId()
  useLayoutEffect(() => {
    shown.set(id, { children, isBeside })
    titleDocument()
  }, [id, children, isBeside])
  useLayoutEffect(
    () => () => {
      shown.delete(id)
      titleDocument()
    },
    [id],
  )
  if (isBeside) return <h2 className="title">{children}</h2>
  return <h1 tabIndex={-1}>{children}</h1>
}
