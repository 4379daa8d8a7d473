/**
 * Goes to another page, and leaves nothing of this one. A browser keeps a page for going back to it, with all that it
 * shows and knows: then it is empty, and loaded again.
 */
export const leavePage = (path: string): void => {
  window.addEventListener('pagehide', () => document.body.replaceChildren())
  window.addEventListener('pageshow', () => location.reload())
  location.assign(path)
}
