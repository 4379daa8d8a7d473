import { useEffect } from 'react'

interface PageTitleProps {
  readonly children: string
  /** Details beside their list have a heading of the second level: a page has one h1. */
  readonly isBeside?: boolean
}

/** The title of a page or of the details beside it, and of the document, which is what a change of page is announced by. */
export const PageTitle = ({ children, isBeside = false }: PageTitleProps) => {
  useEffect(() => {
    document.title = `${children} · Waybill`
  }, [children])
  if (isBeside) return <h2 className="title">{children}</h2>
  return <h1 tabIndex={-1}>{children}</h1>
}
