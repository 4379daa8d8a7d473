// What the pages of the guide do beside being read: copying, and the contents on a phone. No module, so that it works in a page
// that is opened from a file.
'use strict'
{
  const find = (selector) => document.querySelector(selector)
  const make = (name, text = '', properties = {}) =>
    Object.assign(document.createElement(name), { textContent: text, ...properties })

  // A page that a server shows leads to that server, not to the one of the examples.
  if (location.protocol !== 'file:')
    for (const link of document.querySelectorAll('main a[href^="http://127.0.0.1:4000/"]')) {
      const { pathname, hash } = new URL(link.href)
      link.href = pathname + hash
    }

  /** @returns what became of it: browsers copy only on this machine and with TLS. */
  const copy = async (block) => {
    if (navigator.clipboard === undefined) {
      getSelection().selectAllChildren(block)
      return 'Selected'
    }
    await navigator.clipboard.writeText(block.textContent)
    return 'Copied'
  }
  for (const block of document.querySelectorAll('.code')) {
    const button = make('button', 'Copy', { type: 'button', className: 'copy' })
    button.addEventListener('click', async () => {
      button.textContent = await copy(block.querySelector('pre'))
      setTimeout(() => (button.textContent = 'Copy'), 2000)
    })
    block.append(button)
  }

  // What scrolls sideways can be scrolled by keyboard.
  for (const [index, box] of document.querySelectorAll('pre, .wide').entries())
    if (box.scrollWidth > box.clientWidth) {
      box.tabIndex = 0
      box.setAttribute('role', 'group')
      box.setAttribute('aria-label', `${box.matches('pre') ? 'Code' : 'Table'} ${index + 1}`)
    }

  const contents = find('#guide-contents')
  const menu = find('.menu')
  const showMenu = (isOpen) => {
    contents.classList.toggle('open', isOpen)
    menu.setAttribute('aria-expanded', String(isOpen))
  }
  document.body.classList.add('has-menu')
  menu.hidden = false
  menu.addEventListener('click', () => showMenu(menu.getAttribute('aria-expanded') === 'false'))
  contents.addEventListener('click', ({ target }) => target.closest('a') && showMenu(false))
  contents.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
}
