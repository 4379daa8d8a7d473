import i18next, { type BackendModule } from 'i18next'
import { initReactI18next } from 'react-i18next'

export const languages = ['en', 'tr'] as const
export type Language = (typeof languages)[number]

type Texts = Record<string, unknown>

/** One file of texts for each feature and language, fetched when a screen of that feature is first shown. */
const files = import.meta.glob<Texts>('/src/**/{en,tr}.json', { import: 'default' })

const backend: BackendModule = {
  type: 'backend',
  init: () => undefined,
  // oxlint-disable-next-line typescript/no-misused-promises -- i18next awaits it; its types know the callback alone.
  read: async (language: string, namespace: string): Promise<Texts> => {
    const load = Object.entries(files).find(([path]) => path.endsWith(`/${namespace}/${language}.json`))?.[1]
    if (load === undefined) throw new Error(`There are no texts ${namespace} in ${language}.`)
    return load()
  },
}

const rememberedKey = 'waybill.language'

/** The language chosen here before, else the browser's, else English. */
export const preferredLanguage = (): Language => {
  const wanted = [localStorage.getItem(rememberedKey) ?? '', ...navigator.languages].map((one) => one.slice(0, 2))
  return wanted.find((one): one is Language => languages.includes(one as Language)) ?? 'en'
}

/** Begins with the texts of the frame, or those that a page of its own speaks in; the others follow with their screens. */
export const startTexts = async (frame = 'shell'): Promise<void> => {
  await i18next
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: preferredLanguage(),
      fallbackLng: 'en',
      ns: ['texts', frame],
      defaultNS: frame,
      partialBundledLanguages: true,
      interpolation: { escapeValue: false },
      react: { useSuspense: true },
    })
  describeDocument()
}

/** Tells the browser which language the page is in, and which way it is written. */
const describeDocument = (): void => {
  document.documentElement.lang = i18next.language
  document.documentElement.dir = i18next.dir()
}

/** Changes the language of the page and remembers it in this browser. */
export const setLanguage = async (language: Language): Promise<void> => {
  localStorage.setItem(rememberedKey, language)
  await i18next.changeLanguage(language)
  describeDocument()
}
