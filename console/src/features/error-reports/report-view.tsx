import type { Schema } from '#api/types.ts'
import { Messages } from './messages.tsx'
import { useNames } from './names.ts'
import { ReportFacts } from './report-facts.tsx'
import { Why } from './why.tsx'

interface ReportViewProps {
  readonly report: Schema<'ErrorReport'>
  /** What the page says already, so that it is not said again. */
  readonly title: string
}

/** One report: why, what was asked beside what came back, and what it is about. */
export const ReportView = ({ report, title }: ReportViewProps) => {
  const names = useNames()
  // A log of success is in no group, and nothing of it has to be mended.
  const isSuccess = report.is_ok && report.group === null
  return (
    <>
      {isSuccess ? <p>{report.error_desc}</p> : <Why report={report} names={names} title={title} />}
      <Messages report={report} />
      <ReportFacts report={report} names={names} />
    </>
  )
}
