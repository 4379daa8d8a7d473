import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Starts the tests that start whole processes first: they wait a lot, and should not be what everything else waits for at the end. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own, which returns a new list
    const sorted = await super.sort(files)
    const isSlow = ({ moduleId }: TestSpecification): boolean => moduleId.endsWith('.e2e.test.ts')
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}
