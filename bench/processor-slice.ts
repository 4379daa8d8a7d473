import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A part of the processor time of this machine that processes can be held to, by a control group of Linux. */
export interface ProcessorSlice {
  add(pid: number): void
  /** Seconds of processor time that its processes have taken. */
  used(): number
  /** Its processes must have ended. */
  remove(): void
}

const root = '/sys/fs/cgroup'
/** Short, so that a process waits a few milliseconds at a time and not a tenth of a second. */
const periodMicroseconds = 10_000

/**
 * Makes one of so many cores, for each process that is to have its own.
 * @throws where there are no control groups that this user may make: it needs root, and version 1 or 2 with `cpu`.
 */
export const makeProcessorSlice = (name: string, cores: number): ProcessorSlice => {
  const quota = Math.round(cores * periodMicroseconds)
  return existsSync(join(root, 'cgroup.controllers')) ? version2(name, quota) : version1(name, quota)
}

const version2 = (name: string, quota: number): ProcessorSlice => {
  const directory = join(root, name)
  writeFileSync(join(root, 'cgroup.subtree_control'), '+cpu')
  mkdirSync(directory)
  writeFileSync(join(directory, 'cpu.max'), `${quota} ${periodMicroseconds}`)
  const used = (): number => {
    const stat = readFileSync(join(directory, 'cpu.stat'), 'utf8')
    return Number(/usage_usec (\d+)/.exec(stat)?.[1]) / 1_000_000
  }
  return sliceIn(directory, used)
}

const version1 = (name: string, quota: number): ProcessorSlice => {
  const directory = join(root, 'cpu', name)
  const account = join(root, 'cpuacct', name)
  for (const one of new Set([directory, account])) mkdirSync(one, { recursive: true })
  writeFileSync(join(directory, 'cpu.cfs_period_us'), String(periodMicroseconds))
  writeFileSync(join(directory, 'cpu.cfs_quota_us'), String(quota))
  const used = (): number => Number(readFileSync(join(account, 'cpuacct.usage'), 'utf8')) / 1_000_000_000
  return sliceIn(directory, used, account)
}

const sliceIn = (directory: string, used: () => number, ...others: readonly string[]): ProcessorSlice => ({
  add: (pid) => {
    for (const one of [directory, ...others]) writeFileSync(join(one, 'cgroup.procs'), String(pid))
  },
  used,
  remove: () => {
    for (const one of [directory, ...others]) rmdirSync(one)
  },
})
