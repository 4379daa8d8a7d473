/** The choice is that of the console in the same browser, which keeps it under this name. */
const key = 'mantine-color-scheme-value'
const dark = matchMedia('(prefers-color-scheme: dark)')

export const schemes = ['auto', 'light', 'dark'] as const
export type Scheme = (typeof schemes)[number]

/** Light, dark, or as the device. */
export const chosenScheme = (): Scheme => schemes.find((one) => one === localStorage.getItem(key)) ?? 'auto'

const show = (): void => {
  const chosen = chosenScheme()
  paint(chosen === 'auto' ? systemScheme() : chosen)
}

const paint = (shown: 'light' | 'dark'): void => {
  document.documentElement.dataset['mantineColorScheme'] = shown
  document.documentElement.style.colorScheme = shown
}

const systemScheme = (): 'light' | 'dark' => (dark.matches ? 'dark' : 'light')

export const chooseScheme = (scheme: Scheme): void => {
  localStorage.setItem(key, scheme)
  show()
}

/** Shows the page in the colours that were chosen, and follows the device where none were. */
export const startScheme = (): void => {
  show()
  dark.addEventListener('change', show)
  // Paper is white.
  window.addEventListener('beforeprint', () => paint('light'))
  window.addEventListener('afterprint', show)
}
