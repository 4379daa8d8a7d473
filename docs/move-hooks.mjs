// Makes the hooks of a list, as GET /whisperer/hooks/ of the original hook service answers it, switched off. Prints a line
// for each. What is there already is left alone, so it can be run again. Node.js 20 or newer, no packages.
//
//   TOKEN=… node docs/move-hooks.mjs hooks.json http://127.0.0.1:4000/whisperer
import { readFileSync } from 'node:fs'

const [file, service] = process.argv.slice(2)
const token = process.env.TOKEN
if (!file || !service || !token) {
  console.log('usage: TOKEN=… node docs/move-hooks.mjs <file with the list> <URL of the hook service here>')
  process.exit(2)
}

for (const hook of JSON.parse(readFileSync(file, 'utf8')))
  console.log(`${hook.event_type} ${hook.target_url}: ${await move(hook)}`)

/** @returns what became of it. */
async function move({
  event_type,
  target_url,
  secret_key,
  additional_headers,
  retry_countdown_config,
  config,
  is_active,
}) {
  // A hook that was removed from the original is still listed, switched off.
  if (!is_active) return 'left out, it is switched off'
  const fields = { event_type, target_url, secret_key, additional_headers, retry_countdown_config, config }
  const body = JSON.stringify({ ...fields, is_active: false })
  if (body.includes('"********"')) return 'left out, write what is masked into the file'
  const headers = { authorization: `Token ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${service}/hooks/`, { method: 'POST', headers, body })
  if (answer.status === 201) return 'made'
  return answer.status === 406 ? 'there already' : `refused, ${answer.status} ${await answer.text()}`
}
