/** The nonce of the page's policy, for the styles that are made while it runs. */
export const nonce = (): string => document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
