import { writeLetter } from '#platform/mail/letter.ts'
import type { Mail } from '#platform/mail/mailer.ts'
import { timeText, type MailLocale, type Reader } from '#platform/mail/reader.ts'

export type LinkPurpose = 'reset' | 'invite'

/** What a link is made of. */
interface Link {
  readonly link: string
  readonly token: string
  readonly expiresAt: Date
}

/** The message with a link that sets a password. Programs, which see no page, find its token beside it. */
export const linkLetter = (
  reader: Reader,
  purpose: LinkPurpose,
  { link, token, expiresAt }: Link,
): Pick<Mail, 'subject' | 'text' | 'html'> => {
  const { goodUntil, forPrograms, ...words } = linkWords[reader.locale]
  const { heading, paragraphs, button, why } = words[purpose]
  const facts = [[goodUntil, timeText(expiresAt, reader)] as const, [forPrograms, token] as const]
  const sections = [{ heading, paragraphs, facts, link, button }]
  return { subject: heading, ...writeLetter({ locale: reader.locale, sections, why }) }
}

interface PurposeWords {
  readonly heading: string
  readonly paragraphs: readonly string[]
  readonly button: string
  readonly why: string
}
type LinkWords = Readonly<Record<LinkPurpose, PurposeWords>> & {
  readonly goodUntil: string
  readonly forPrograms: string
}

const linkWords: Readonly<Record<MailLocale, LinkWords>> = {
  en: {
    reset: {
      heading: 'Choose a new password',
      paragraphs: [
        'Somebody, probably you, has asked for a new password of your account. Choose one with this link, which works once.',
        'Whoever did not ask for it need not do anything: the present password stays.',
      ],
      button: 'Choose a password',
      why: 'You get this message because there is an account with this address.',
    },
    invite: {
      heading: 'Your account is ready',
      paragraphs: ['You have an account. Choose a password with this link, which works once.'],
      button: 'Choose a password',
      why: 'You get this message because an account was made with this address.',
    },
    goodUntil: 'Works until',
    forPrograms: 'Its token, for programs',
  },
  tr: {
    reset: {
      heading: 'Yeni bir parola belirleyin',
      paragraphs: [
        'Hesabınız için yeni bir parola istendi; bunu büyük olasılıkla siz istediniz. Bu bağlantıyla bir parola belirleyin; bağlantı bir kez kullanılabilir.',
        'Bunu siz istemediyseniz bir şey yapmanız gerekmez: şimdiki parolanız geçerli kalır.',
      ],
      button: 'Parola belirle',
      why: 'Bu iletiyi, bu adresle bir hesap bulunduğu için alıyorsunuz.',
    },
    invite: {
      heading: 'Hesabınız hazır',
      paragraphs: ['Bir hesabınız var. Bu bağlantıyla bir parola belirleyin; bağlantı bir kez kullanılabilir.'],
      button: 'Parola belirle',
      why: 'Bu iletiyi, bu adresle bir hesap açıldığı için alıyorsunuz.',
    },
    goodUntil: 'Son geçerlilik',
    forPrograms: 'Programlar için kod',
  },
}
