// Reads the endpoints of an application of Svix, or those of a project of Convoy, and prints them as a list of hooks for
// move-hooks.mjs. What has no counterpart is said on standard error. Node.js 20 or newer, no packages.
//
//   TOKEN=… node docs/read-endpoints.mjs svix https://api.eu.svix.com app_1 > hooks.json
//   TOKEN=… node docs/read-endpoints.mjs convoy https://convoy.example/api prj_1 > hooks.json
const [kind, service, owner] = process.argv.slice(2)
const token = process.env.TOKEN
const readers = { svix: readSvix, convoy: readConvoy }
if (!readers[kind] || !service || !owner || !token)
  stop('usage: TOKEN=… node docs/read-endpoints.mjs svix|convoy <URL of the service> <application or project>')

console.log(JSON.stringify(await readers[kind](), undefined, 2))

async function readSvix() {
  const base = `/api/v1/app/${encodeURIComponent(owner)}/endpoint`
  const hooks = []
  for (let page = { iterator: '' }; !page.done;) {
    page = await get(`${base}?limit=100${page.iterator ? `&iterator=${encodeURIComponent(page.iterator)}` : ''}`)
    for (const endpoint of page.data) hooks.push(await svixHook(base, endpoint))
  }
  return hooks
}

async function svixHook(base, { id, url, disabled, filterTypes, channels, rateLimit }) {
  const [{ key }, { headers, sensitive }] = [await get(`${base}/${id}/secret`), await get(`${base}/${id}/headers`)]
  if (channels?.length > 0) say(url, `hears all channels now, not ${channels.join(', ')} alone`)
  // Waybill has no private key of others: it makes a pair of its own, whose public key the receiver gets.
  const isPair = key.startsWith('whsk_')
  if (isPair) say(url, 'verifies with a key pair: give it the new public key')
  return {
    event_type: filterTypes?.length > 0 ? filterTypes : '*',
    target_url: url,
    secret_key: isPair ? null : key,
    // What Svix does not show is masked, as it would be here.
    additional_headers: { ...headers, ...Object.fromEntries(sensitive.map((name) => [name, '********'])) },
    config: {
      format: 'standard',
      ...(isPair && { signature: 'v1a' }),
      ...(rateLimit > 0 && { rate_limit: { per_second: rateLimit } }),
    },
    is_active: !disabled,
  }
}

async function readConvoy() {
  const base = `/v1/projects/${encodeURIComponent(owner)}`
  const endpoints = await convoyList(`${base}/endpoints`)
  const subscriptions = await convoyList(`${base}/subscriptions`)
  return endpoints.flatMap((endpoint) =>
    subscriptions
      .filter(({ endpoint_metadata: of }) => of?.uid === endpoint.uid)
      .map((subscription) => convoyHook(endpoint, subscription)),
  )
}

async function convoyList(path) {
  const found = []
  for (let cursor = '', more = true; more;) {
    const { data } = await get(
      `${path}?perPage=100&direction=next${cursor && `&next_page_cursor=${encodeURIComponent(cursor)}`}`,
    )
    found.push(...data.content)
    more = data.pagination.has_next_page
    cursor = data.pagination.next_page_cursor
  }
  return found
}

function convoyHook(endpoint, { filter_config: wanted, function: code, name }) {
  const { url, secrets = [], status } = endpoint
  if (Object.keys(wanted?.filter ?? {}).length > 0) say(url, `${name}: write its filter as config.filter`)
  if (code) say(url, `${name}: its function is not taken along`)
  const { headers = {}, ...auth } = convoyAccount(endpoint)
  return {
    event_type: wanted?.event_types?.length > 0 ? wanted.event_types : '*',
    target_url: url,
    // The newest one that has no end.
    secret_key: secrets.findLast(({ expires_at: end }) => !end || Date.parse(end) <= 0)?.value ?? null,
    additional_headers: headers,
    config: { format: 'standard', ...auth, ...convoyRate(endpoint) },
    is_active: status === 'active',
  }
}

function convoyAccount({ url, authentication }) {
  const { type, api_key: key, basic_auth: basic } = authentication ?? {}
  if (type === 'api_key') return { headers: { [key.header_name]: key.header_value } }
  if (type === 'basic_auth') return { auth: { auth_type: 'basic', username: basic.username, password: basic.password } }
  if (type) say(url, `authentication of the kind ${type} is not taken along`)
  return {}
}

function convoyRate({ rate_limit: most, rate_limit_duration: seconds }) {
  return most > 0 && seconds > 0 ? { rate_limit: { per_second: Math.max(0.1, most / seconds) } } : {}
}

async function get(path) {
  const answer = await fetch(service + path, { headers: { authorization: `Bearer ${token}` } }).catch((error) =>
    stop(`${service} cannot be reached: ${error.cause?.message || error.cause?.code || error.message}`),
  )
  if (!answer.ok) stop(`${path} was answered with ${answer.status}: ${(await answer.text()).slice(0, 200)}`)
  return answer.json()
}

function say(url, what) {
  console.error(`${url}: ${what}`)
}

function stop(message) {
  console.error(message)
  process.exit(2)
}
