import type { MailLocale } from '#platform/mail/reader.ts'

/** What messages about the health of an endpoint say in one language. */
export interface HealthWords {
  readonly failing: {
    readonly heading: (title: string, origin: string) => string
    readonly times: (failures: number) => string
    readonly meanwhile: string
  }
  readonly disabled: {
    readonly heading: (title: string, origin: string) => string
    readonly gone: string
    readonly tookNothing: string
    readonly kept: string
    readonly tried: string
  }
  readonly recovered: { readonly heading: (title: string, origin: string) => string; readonly takes: string }
  readonly failingSince: string
  readonly open: string
  readonly why: string
}

/** In Turkish names take no suffixes, which would have to follow their last vowel: what is said of them follows a colon. */
export const healthWords: Readonly<Record<MailLocale, HealthWords>> = {
  en: {
    failing: {
      heading: (title, origin) => `${title} is failing (${origin})`,
      times: (failures) => `It has failed ${failures} times in a row.`,
      meanwhile: 'Until it answers again it gets one delivery at a time. Nothing is lost: what is due waits.',
    },
    disabled: {
      heading: (title, origin) => `${title} was switched off (${origin})`,
      gone: 'It answered 410 Gone and was switched off.',
      tookNothing: 'It has taken nothing for too long and was switched off.',
      kept: 'What happens meanwhile is kept. Switch it on again when it works, then recover what it missed.',
      tried: 'It is tried now and then, and comes back by itself with the first success.',
    },
    recovered: { heading: (title, origin) => `${title} works again (${origin})`, takes: 'It takes deliveries again.' },
    failingSince: 'Failing since',
    open: 'Show it',
    why: 'You get this message because it is yours, or because you look after this installation.',
  },
  tr: {
    failing: {
      heading: (title, origin) => `${title}: teslimatlar başarısız oluyor (${origin})`,
      times: (failures) => `Art arda ${failures} teslimat başarısız oldu.`,
      meanwhile:
        'Yeniden yanıt verene kadar teslimatlar teker teker gönderilir. Hiçbiri kaybolmaz: sırası gelen bekler.',
    },
    disabled: {
      heading: (title, origin) => `${title}: kapatıldı (${origin})`,
      gone: '410 Gone yanıtını verdiği için kapatıldı.',
      tookNothing: 'Çok uzun süredir hiçbir teslimatı almadığı için kapatıldı.',
      kept: 'Bu sırada olanlar saklanır. Çalıştığında yeniden açın, ardından kaçırdıklarını gönderin.',
      tried: 'Arada bir denenir ve ilk başarılı teslimatla kendiliğinden açılır.',
    },
    recovered: {
      heading: (title, origin) => `${title}: yeniden çalışıyor (${origin})`,
      takes: 'Teslimatları yeniden alıyor.',
    },
    failingSince: 'Sorunun başlangıcı',
    open: 'Görüntüle',
    why: 'Bu iletiyi, size ait olduğu için veya bu kurulumdan sorumlu olduğunuz için alıyorsunuz.',
  },
}
