let token: string | undefined

/** The token that the session answered with; in memory only, so that it ends with the page. */
export const csrfToken = {
  get: (): string | undefined => token,
  set: (next: string | undefined): void => {
    token = next
  },
}
