import type { Schema } from '#api/types.ts'
import { Messages } from './messages.tsx'
import { useNames } from './names.ts'
import { ReportFacts } from './report-facts.tsx'
import { Why } from './why.tsx'

/** One report: why, what was asked beside what came back, and what it is about. */
export const ReportView = ({ report }: { readonly report: Schema<'ErrorReport'> }) => {
  const names = useNames()
  return (
    <>
      <Why report={report} names={names} />
      <Messages report={report} />
      <ReportFacts report={report} names={names} />
    </>
  )
}
