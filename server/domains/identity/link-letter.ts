import { writeLetter } from '#platform/mail/letter.ts'
import type { Mail } from '#platform/mail/mailer.ts'
import { timeText, type MailLocale, type Reader } from '#platform/mail/reader.ts'

export type LinkPurpose = 'reset' | 'invite'

/** What a link is made of. */
interface Link {
  readonly link: string
  readonly expiresAt: Date
}

/** The message with a link that sets a password. It says where the account is, by the host that the link leads to. */
export const linkLetter = (
  reader: Reader,
  purpose: LinkPurpose,
  { link, expiresAt }: Link,
): Pick<Mail, 'subject' | 'text' | 'html'> => {
  const { goodUntil, ...words } = linkWords[reader.locale]
  const { heading, paragraphs, button, why } = words[purpose]
  const facts = [[goodUntil, timeText(expiresAt, reader)] as const]
  const sections = [{ heading, paragraphs: paragraphs(new URL(link).host), facts, link, button }]
  return { subject: heading, ...writeLetter({ locale: reader.locale, sections, why }) }
}

interface PurposeWords {
  readonly heading: string
  readonly paragraphs: (place: string) => readonly string[]
  readonly button: string
  readonly why: string
}
type LinkWords = Readonly<Record<LinkPurpose, PurposeWords>> & { readonly goodUntil: string }

const linkWords: Readonly<Record<MailLocale, LinkWords>> = {
  en: {
    reset: {
      heading: 'Choose a new password',
      paragraphs: (place) => [
        `Somebody, probably you, has asked for a new password of your account at ${place}. Choose one with this link, which works once.`,
        'Whoever did not ask for it need not do anything: the present password stays.',
      ],
      button: 'Choose a password',
      why: 'You get this message because there is an account with this address.',
    },
    invite: {
      heading: 'Your account is ready',
      paragraphs: (place) => [
        `Somebody made an account for you at ${place}. Choose a password with this link, which works once.`,
      ],
      button: 'Choose a password',
      why: 'You get this message because an account was made with this address.',
    },
    goodUntil: 'Works until',
  },
  tr: {
    reset: {
      heading: 'Yeni bir parola belirleyin',
      paragraphs: (place) => [
        `${place} adresindeki hesabınız için yeni bir parola istendi; bunu büyük olasılıkla siz istediniz. Bu bağlantıyla bir parola belirleyin; bağlantı bir kez kullanılabilir.`,
        'Bunu siz istemediyseniz bir şey yapmanız gerekmez: şimdiki parolanız geçerli kalır.',
      ],
      button: 'Parola belirle',
      why: 'Bu iletiyi, bu e-posta adresiyle bir hesap bulunduğu için alıyorsunuz.',
    },
    invite: {
      heading: 'Hesabınız hazır',
      paragraphs: (place) => [
        `${place} adresinde sizin için bir hesap oluşturuldu. Bu bağlantıyla bir parola belirleyin; bağlantı bir kez kullanılabilir.`,
      ],
      button: 'Parola belirle',
      why: 'Bu iletiyi, bu e-posta adresiyle bir hesap açıldığı için alıyorsunuz.',
    },
    goodUntil: 'Son geçerlilik',
  },
}
