import type { Config } from '#platform/config.ts'

/** The pages that messages lead to: the only place that knows their paths. */
export const makePageLinks = (
  { CONSOLE_URL, STOREFRONT_URL }: Pick<Config, 'CONSOLE_URL' | 'STOREFRONT_URL'>,
  baseUrl: () => string,
) => {
  const consoleUrl = (): string => withoutSlash(CONSOLE_URL ?? baseUrl())
  const storefrontUrl = (): string => withoutSlash(STOREFRONT_URL ?? `${consoleUrl()}/shop`)
  return {
    /** Where the console begins. */
    consoleUrl,
    /** A quotation, as its buyers or its sellers see it. */
    quotation: (surface: 'storefront' | 'admin', id: number): string =>
      `${surface === 'storefront' ? storefrontUrl() : consoleUrl()}/quotations/${id}`,
    hook: (id: number): string => `${consoleUrl()}/hooks/${id}`,
    /** What the API has at this path; the console has it at the same one, without the prefix of the API. */
    ofApi: (path: string): string => consoleUrl() + path.replace(/^\/api\/[^/]+/, ''),
    /**
     * Where a password is set, by buyers in the shop that is served beside the console. The token stands behind the `#`, which
     * browsers send to nobody, so that it is in no log of a server.
     */
    password: (token: string, { isBuyer, console = consoleUrl() }: PasswordPage): string =>
      `${console}${isBuyer ? '/shop' : ''}/password/reset#token=${token}`,
  }
}

interface PasswordPage {
  readonly isBuyer: boolean
  /** Where the console begins, for a process that does not know it. */
  readonly console?: string
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '')
