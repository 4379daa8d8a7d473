import type { HealthNotice } from '#delivery/health/record-health.ts'
import type { Tx } from '#platform/db/database.ts'
import { letter } from '#platform/mail/letter.ts'
import type { Mail, Mailer } from '#platform/mail/mailer.ts'
import type { AlertSubject } from './subjects.ts'

export interface HealthAlertDeps {
  readonly mailer: Mailer
  /** Those who look after the whole installation (ALERT_EMAILS). */
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
    if (!mailer.isConfigured) return
    const about = await subjectOf(tx, notice)
    const to = [...new Set([...recipients, ...(about.owner === undefined ? [] : [about.owner])])]
    if (to.length === 0) return
    const origin = await originOf(tx, notice.subscriptionId)
    await mailer.send(tx, { to, ...healthMail(notice, origin, about) })
  }

export const healthMail = (
  { change, before, state }: Pick<HealthNotice, 'change' | 'before' | 'state'>,
  origin: string,
  { title, link }: Pick<AlertSubject, 'title' | 'link'>,
): Omit<Mail, 'to'> => {
  const { subject, lines } = {
    failing: {
      subject: `${title} is failing (${origin})`,
      lines: [
        `${title} (${origin}) has failed ${state.failures} times in a row since ${timeText(state.failingSince)}.`,
        'Until it answers again it gets one delivery at a time. Nothing is lost: what is due waits.',
      ],
    },
    disabled: {
      subject: `${title} was switched off (${origin})`,
      lines: [
        state.disabledReason === 'gone'
          ? `${title} (${origin}) answered 410 Gone and was switched off.`
          : `${title} (${origin}) has taken nothing since ${timeText(state.failingSince)} and was switched off.`,
        'What happens meanwhile is kept. Switch it on again when it works, then recover what it missed.',
        ...(state.probeAt === null
          ? []
          : ['It is tried now and then, and comes back by itself with the first success.']),
      ],
    },
    recovered: {
      subject: `${title} works again (${origin})`,
      lines: [
        `${title} (${origin}) takes deliveries again.`,
        ...(before.failingSince === null ? [] : [`It had been failing since ${timeText(before.failingSince)}.`]),
      ],
    },
  }[change]
  return { subject, ...letter([{ lines, link }]) }
}

const timeText = (time: Date | null): string => time?.toISOString() ?? 'an unknown time'
