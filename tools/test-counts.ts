export interface TestCounts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** The fields of Vitest's JSON report that are read here. */
interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
  readonly testResults: readonly {
    readonly status: string
    readonly assertionResults: readonly { readonly status: string }[]
  }[]
}

/** A file that failed as a whole, before or beside its tests, counts as one failure more. */
export const countTests = (json: string): TestCounts => {
  const report = JSON.parse(json) as Report
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles.length,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}
