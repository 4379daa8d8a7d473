import { brokerKinds } from '#testing/brokers/broker-kinds.ts'
import { isInstalled } from '#testing/brokers/debian-server.ts'
import { findClusterPrograms } from '#testing/cluster/programs.ts'
import { findProgram } from '#testing/processes/find-program.ts'
import { findPython } from '#testing/processes/python.ts'
import { hasChromium } from '../console/e2e/support/chromium.ts'

/** What some tests need and npm does not install. A machine may have none of it; CI has to. */
export interface OutsideProgram {
  readonly name: string
  /** Which tests are left out without it: "the tests …". */
  readonly tests: string
  /** Debian's packages. */
  readonly debian: string
  readonly isThere: () => boolean
  /** Tells the tests that it is missing, where they do not look themselves. */
  readonly without?: string
}

const inPath =
  (...names: readonly string[]) =>
  (): boolean =>
    names.every((name) => findProgram(name) !== undefined)

export const outsidePrograms: readonly OutsideProgram[] = [
  {
    name: "Python's xlrd and openpyxl",
    tests: 'that read spreadsheets with other programs',
    debian: 'python3-xlrd, python3-openpyxl',
    isThere: () => findPython() !== undefined,
    without: 'TEST_WITHOUT_PYTHON',
  },
  { name: 'Python 3', tests: 'of the SDK for Python', debian: 'python3', isThere: inPath('python3') },
  { name: 'Chromium', tests: 'of the console in a browser', debian: 'chromium', isThere: hasChromium },
  {
    name: 'Prometheus',
    tests: 'of alerts and of the dashboard',
    debian: 'prometheus',
    isThere: inPath('prometheus', 'promtool'),
  },
  ...brokerKinds.map(({ name, command }) => ({
    name: command.slice(command.lastIndexOf('/') + 1),
    tests: `of deliveries to ${name}, and of events from it`,
    debian: command.slice(command.lastIndexOf('/') + 1),
    isThere: () => isInstalled(command),
  })),
  {
    name: 'Patroni, etcd and HAProxy',
    tests: 'on a cluster of PostgreSQL',
    debian: 'patroni, etcd-server, haproxy, postgresql',
    isThere: () => findClusterPrograms() !== undefined,
  },
  {
    name: 'Go, Java, PHP and Ruby',
    tests: 'of how signatures are verified in them',
    debian: 'golang-go, default-jdk-headless, php-cli, ruby',
    isThere: inPath('go', 'java', 'javac', 'php', 'ruby'),
  },
]
