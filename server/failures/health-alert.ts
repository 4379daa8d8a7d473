import type { HealthNotice } from '#delivery/health/record-health.ts'
import type { Tx } from '#platform/db/database.ts'
import { writeLetter, type Fact, type Section } from '#platform/mail/letter.ts'
import type { Mail, Mailer } from '#platform/mail/mailer.ts'
import { readerOf, timeText, type Addressee, type Reader } from '#platform/mail/reader.ts'
import { healthWords, type HealthWords } from './health-words.ts'
import type { AlertSubject } from './subjects.ts'

export interface HealthAlertDeps {
  readonly mailer: Pick<Mailer, 'send'>
  /** Those who look after the whole installation (ALERT_EMAILS). They are written to in English, at UTC. */
  readonly recipients: readonly string[]
  /** What the subscription is to people, and whose. */
  readonly subjectOf: (tx: Tx, notice: HealthNotice) => Promise<AlertSubject>
  /** Scheme and host of its address: the rest may hold a credential. */
  readonly originOf: (tx: Tx, subscriptionId: number) => Promise<string>
}

/** Tells the owner of a webhook, and whoever runs the installation, of a change of its health by e-mail. */
export const makeHealthAlert =
  ({ mailer, recipients, subjectOf, originOf }: HealthAlertDeps) =>
  async (tx: Tx, notice: HealthNotice): Promise<void> => {
    const about = await subjectOf(tx, notice)
    const others = recipients.filter((email) => email !== about.owner?.email)
    const addressees: readonly Addressee[] = [
      ...(about.owner === undefined ? [] : [about.owner]),
      ...[...new Set(others)].map((email) => ({ email, locale: '', timeZone: '' }) as const),
    ]
    if (addressees.length === 0) return
    const origin = await originOf(tx, notice.subscriptionId)
    await mailer.send(
      tx,
      addressees.map((addressee) => {
        const reader = readerOf(addressee)
        const letter = healthLetter(reader, notice, { ...about, origin })
        return { to: addressee.email, purpose: 'endpoint_health', locale: reader.locale, ...letter }
      }),
    )
  }

type Change = Pick<HealthNotice, 'change' | 'before' | 'state'>
type About = Pick<AlertSubject, 'title' | 'link'> & { readonly origin: string }

/** The message about a change of health, in the words and at the time of its reader. */
export const healthLetter = (
  reader: Reader,
  notice: Change,
  { title, link, origin }: About,
): Pick<Mail, 'subject' | 'text' | 'html'> => {
  const words = healthWords[reader.locale]
  const heading = words[notice.change].heading(title[reader.locale], origin)
  const facts = sinceOf(notice, words, reader)
  const section: Section = { heading, paragraphs: paragraphsOf(notice, words), facts, link, button: words.open }
  return { subject: heading, ...writeLetter({ locale: reader.locale, sections: [section], why: words.why }) }
}

const paragraphsOf = ({ change, state }: Change, words: HealthWords): readonly string[] => {
  if (change === 'failing') return [words.failing.times(state.failures), words.failing.meanwhile]
  if (change === 'recovered') return [words.recovered.takes]
  return [
    state.disabledReason === 'gone' ? words.disabled.gone : words.disabled.tookNothing,
    words.disabled.kept,
    ...(state.probeAt === null ? [] : [words.disabled.tried]),
  ]
}

/** Since when it fails, or had been failing. */
const sinceOf = ({ change, before, state }: Change, { failingSince }: HealthWords, reader: Reader): readonly Fact[] => {
  const since = change === 'recovered' ? before.failingSince : state.failingSince
  return since === null ? [] : [[failingSince, timeText(since, reader)]]
}
