import { readdirSync, readFileSync } from 'node:fs'

/** Sends a signal to processes and all that descend from them, until no new one comes up. By /proc, so on Linux. */
export const signalTrees = (roots: readonly number[], signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void => {
  const reached = new Set<number>()
  for (let found = treesOf(roots); found.some((pid) => !reached.has(pid)); found = treesOf(roots)) {
    for (const pid of found) {
      reached.add(pid)
      send(pid, signal)
    }
  }
}

const send = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended meanwhile.
  }
}

const treesOf = (roots: readonly number[]): number[] => {
  const children = Map.groupBy(processes(), ({ parent }) => parent)
  const tree: number[] = []
  for (const waiting = [...roots]; waiting.length > 0;) {
    const pid = waiting.pop() ?? 0
    tree.push(pid)
    waiting.push(...(children.get(pid) ?? []).map((child) => child.pid))
  }
  return tree
}

const processes = (): { readonly pid: number; readonly parent: number }[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const text = readFileSync(`/proc/${name}/stat`, 'utf8')
        // The name of the program may have spaces and parentheses; the fields follow the last one (proc(5)).
        return [{ pid: Number(name), parent: Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]) }]
      } catch {
        return []
      }
    })
