import type { Reporter, TestModule, Vitest } from 'vitest/node'

/**
 * Vitest fails a run without tests, but not a project without tests among others that have some: a
 * pattern that no longer matches would switch a whole engine off in silence. For whole runs only.
 */
export const emptyProjectGuard = (): Reporter => {
  let vitest: Vitest | undefined
  return {
    onInit(context) {
      vitest = context
    },
    onTestRunEnd(modules) {
      for (const project of vitest?.projects ?? []) {
        if (modules.some((module) => module.project === project && hasTest(module))) continue
        console.error(`\nThe test project '${project.name}' has no test.`)
        process.exitCode = 1
      }
    },
  }
}

/** A file that failed to load has none either, but says so itself. */
const hasTest = (module: TestModule): boolean =>
  module.state() === 'failed' || module.children.allTests().next().done !== true
