const key = 'waybill.reloaded'
const pauseMs = 60_000

/**
 * After an update the parts of the page that were not loaded yet are gone under their old names. Loading the page again gets
 * the new ones; at most once a minute, so that a part that is really missing shows an error instead.
 */
export const reloadWhenPartsAreGone = (): void => {
  window.addEventListener('vite:preloadError', (event) => {
    if (Date.now() - Number(sessionStorage.getItem(key) ?? 0) < pauseMs) return
    sessionStorage.setItem(key, String(Date.now()))
    event.preventDefault()
    location.reload()
  })
}
