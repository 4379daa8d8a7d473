interface Answer {
  readonly key: string
  readonly id: number
  readonly _id: string
}

/** Sends a POST and returns its answer. @throws Error when it is refused. */
type Post = (path: string, body?: unknown) => Promise<Answer>

/**
 * Makes some things of most kinds through the API, so that made-up requests find what they name.
 * @param token of the first superuser.
 * @returns the token of the last, who also orders for a division. Ids of users that are made up are those of the others: 1 and 2.
 */
export const makeWorld = async (origin: string, token: string): Promise<string> => {
  const postAs = (key: string): Post => {
    return async (path, body = {}) => {
      const headers = { authorization: `Token ${key}`, 'content-type': 'application/json' }
      const answer = await fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}: ${await answer.text()}`)
      return (await answer.json()) as Answer
    }
  }
  const post = postAs(token)
  await post('/api/v1/divisions', { name: 'Head office', erp_code: 'HQ' })
  await post('/api/v1/products', { remote_id: '4711', name: 'Oak chair', price: '49.90', currency: 'EUR' })
  const password = 'correct horse battery staple'
  for (const name of ['ada', 'grace', 'buyer'])
    await post('/api/v1/users', { email: `${name}@example.com`, password, is_superuser: true, division: 1 })
  const { key } = await post('/api/v1/auth/login', { username: 'buyer@example.com', password })
  for (const name of ['first', 'second']) {
    await makeTrade(postAs(key), name)
    await makeDeliveries(postAs(key), name)
  }
  return key
}

const makeTrade = async (post: Post, name: string): Promise<void> => {
  const chairs = { product_remote_id: '4711', division: 1, quantity: 3 }
  await post('/api/v1/basket', chairs)
  await post('/api/v1/basket/save', { name })
  await post('/api/v1/basket', chairs)
  await post('/api/v1/my-quotations', { name })
  const { id: location } = await post('/api/v1/stock_locations', { code: name, name })
  const count = { sku: 'CHAIR-OAK', quantity: 100, reason: 'First count' }
  await post(`/api/v1/stock_locations/${location}/stock`, count)
  const items = [{ sku: 'CHAIR-OAK', quantity: 2 }]
  const parcel = await post('/api/v1/packages', { order_number: name, items, stock_location: location })
  await post(`/api/v1/packages/${parcel.id}/transition`, {})
  await post(`/api/v1/packages/${parcel.id}/pack`)
  await post('/api/v1/shipments', { package: parcel.id, carrier: 'DHL' })
  const other = await post('/api/v1/stock_locations', { code: `${name} branch`, name })
  await post('/api/v1/transfers', { from_location: location, to_location: other.id, items })
}

const makeDeliveries = async (post: Post, name: string): Promise<void> => {
  const { id: hook } = await post('/whisperer/hooks', {
    event_type: 'package.created',
    target_url: `https://example.com/${name}`,
  })
  await post(`/whisperer/hooks/${hook}/ping`, { event_type: 'package.created' })
  const flow = await post('/api/nifi/flows', { direction: 'outbound', name, target: 'https://example.com/orders' })
  await post(`/api/nifi/flows/${flow.id}/data`, { order: 1 })

  const { id: catalog } = await post('/api/v1/catalogs', { name })
  const { id: channel } = await post('/api/v1/channels', { name, catalog })
  const place = { channel, type: 'city', remote_code: '34-IST', local_id: 34, local_name: 'İstanbul' }
  await post('/api/v1/place_mappings', place)
  const report = { action_content_type: 13, action_object_id: 1, obj_modified_date: '2026-11-21 09:30:00' }
  await post(`/api/v1/channel/${channel}/error_reports`, { ...report, error_code: name, error_desc: 'Refused.' })

  const { _id: organization } = await post('/api/v1/organizations', { name })
  const projects = `/api/v1/organizations/${organization}/projects`
  const { _id: project } = await post(projects, { name: 'Drivers', slug: 'drivers' })
  const build = { type: 'build', platform: 'android', environment: 'production', tag: 'v1.4.0' }
  const { _id: deployment } = await post(`${projects}/${project}/deployments`, build)
  const distribution = { deployment, target: 'googlePlay', versionCode: 140 }
  await post(`${projects}/${project}/distributions`, distribution)
  const webhook = { name, url: 'https://example.com/hooks', events: ['deployment.build.succeeded'] }
  await post(`${projects}/${project}/settings/webhooks`, webhook)
}
