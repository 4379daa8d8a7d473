import type { HealthNotice } from '#delivery/health/record-health.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Mail, Mailer } from '#platform/mail/mailer.ts'

export interface HealthAlertDeps {
  readonly mailer: Mailer
  /** Those who look after the whole installation (ALERT_EMAILS). */
  readonly recipients: readonly string[]
  /** E-mail of the person whose webhook it is; undefined when there is none. */
  readonly ownerEmail: (tx: Tx, subscriptionId: number) => Promise<string | undefined>
  /** Scheme and host of its address: the rest may hold a credential. */
  readonly originOf: (tx: Tx, subscriptionId: number) => Promise<string>
  /** Where the webhook can be looked at. */
  readonly linkTo: (subscriptionId: number) => string
}

/** Tells the owner of a webhook, and whoever runs the installation, of a change of its health by e-mail. */
export const makeHealthAlert =
  ({ mailer, recipients, ownerEmail, originOf, linkTo }: HealthAlertDeps) =>
  async (tx: Tx, notice: HealthNotice): Promise<void> => {
    if (!mailer.isConfigured) return
    const owner = await ownerEmail(tx, notice.subscriptionId)
    const to = [...new Set([...recipients, ...(owner === undefined ? [] : [owner])])]
    if (to.length === 0) return
    const origin = await originOf(tx, notice.subscriptionId)
    await mailer.send(tx, { to, ...healthMail(notice, origin, linkTo(notice.subscriptionId)) })
  }

/** What the message says. */
export const healthMail = (
  { subscriptionId: id, change, before, state }: HealthNotice,
  origin: string,
  link: string,
): Omit<Mail, 'to'> => {
  const { subject, lines } = {
    failing: {
      subject: `Webhook ${id} is failing (${origin})`,
      lines: [
        `Webhook ${id} (${origin}) has failed ${state.failures} times in a row since ${timeText(state.failingSince)}.`,
        'Until it answers again it gets one delivery at a time. Nothing is lost: what is due waits.',
      ],
    },
    disabled: {
      subject: `Webhook ${id} was switched off (${origin})`,
      lines: [
        state.disabledReason === 'gone'
          ? `Webhook ${id} (${origin}) answered 410 Gone and was switched off.`
          : `Webhook ${id} (${origin}) has taken nothing since ${timeText(state.failingSince)} and was switched off.`,
        'What happens meanwhile is kept. Switch it on again when it works, then recover what it missed.',
        ...(state.probeAt === null
          ? []
          : ['It is tried now and then, and comes back by itself with the first success.']),
      ],
    },
    recovered: {
      subject: `Webhook ${id} works again (${origin})`,
      lines: [
        `Webhook ${id} (${origin}) takes deliveries again.`,
        ...(before.failingSince === null ? [] : [`It had been failing since ${timeText(before.failingSince)}.`]),
      ],
    },
  }[change]
  const text = [...lines, '', link].join('\n')
  const html = `${lines.map((line) => `<p>${escaped(line)}</p>`).join('\n')}\n<p><a href="${escaped(link)}">${escaped(link)}</a></p>`
  return { subject, text, html }
}

const timeText = (time: Date | null): string => time?.toISOString() ?? 'an unknown time'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
