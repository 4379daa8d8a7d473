// The search of the guide. It makes no request but for scripts, so that it works in a page that is opened from a file.
'use strict'
{
  const make = (name, text = '', properties = {}) =>
    Object.assign(document.createElement(name), { textContent: text, ...properties })
  const form = document.querySelector('form')
  const input = document.querySelector('#guide-search')
  const found = document.querySelector('.found')
  const [status, list] = [found.querySelector('p'), found.querySelector('ol')]
  const most = 12
  /** Loaded by the first search: it is larger than any page. */
  let search

  const loadScript = (name) =>
    new Promise((resolve, reject) => {
      document.head.append(make('script', '', { src: name, onload: resolve, onerror: reject }))
    })
  const load = async () => {
    await Promise.all([loadScript('search.js'), loadScript('search-index.js')])
    const { options, index } = globalThis.guideIndex
    return globalThis.MiniSearch.loadJSON(index, options)
  }
  const close = () => {
    found.hidden = true
  }
  const show = async () => {
    const wanted = input.value.trim()
    if (wanted === '') return close()
    search ??= load()
    const index = await search
    if (input.value.trim() !== wanted) return undefined
    const options = { prefix: true, combineWith: 'AND', boost: { title: 3, page: 2 } }
    let results = index.search(wanted, options)
    if (results.length === 0) results = index.search(wanted, { ...options, fuzzy: 0.2 })
    status.textContent =
      results.length === 0
        ? `Nothing has “${wanted}”.`
        : `${results.length} ${results.length === 1 ? 'place' : 'places'}`
    list.replaceChildren(
      ...results.slice(0, most).map(({ id, title, page, start }) => {
        const link = make('a', '', { href: id })
        link.append(make('b', title), make('small', title === page ? start : `${page}: ${start}`))
        const item = make('li')
        item.append(link)
        return item
      }),
    )
    found.hidden = false
    return undefined
  }
  form.hidden = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    list.querySelector('a')?.click()
  })
  input.addEventListener('input', show)
  input.addEventListener('focus', show)
  list.addEventListener('click', close)
  document.addEventListener('click', ({ target }) => {
    if (!found.contains(target) && !form.contains(target)) close()
  })
  const move = (step) => {
    const links = [input, ...list.querySelectorAll('a')]
    links[Math.min(Math.max(links.indexOf(document.activeElement) + step, 0), links.length - 1)].focus()
  }
  const keysInside = {
    Escape: () => {
      input.focus()
      close()
    },
    ArrowDown: () => found.hidden || move(1),
    ArrowUp: () => found.hidden || move(-1),
  }
  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey } = event
    const isInside = form.contains(document.activeElement) || found.contains(document.activeElement)
    const isAsked = (key === '/' && !isInside) || (key === 'k' && (ctrlKey || metaKey))
    const act = isAsked ? () => input.focus() : isInside && keysInside[key]
    if (!act) return
    event.preventDefault()
    act()
  })
}
