// Makes the hooks of a list, as GET /whisperer/hooks/ of the original hook service answers it, switched off. Prints a line
// for each. What is there already is left alone, so it can be run again. Node.js 20 or newer, no packages.
//
//   TOKEN=… node docs/move-hooks.mjs hooks.json http://127.0.0.1:4000/whisperer
import { readFileSync } from 'node:fs'

const [file, service] = process.argv.slice(2)
const token = process.env.TOKEN
if (!file || !service || !token)
  stop('usage: TOKEN=… node docs/move-hooks.mjs <file with the list> <URL of the hook service here>')

for (const hook of readHooks()) console.log(`${hook.event_type} ${hook.target_url}: ${await move(hook)}`)

function readHooks() {
  let hooks
  try {
    hooks = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    stop(`${file} cannot be read as JSON: ${error.message}`)
  }
  const isList = Array.isArray(hooks) && hooks.every((hook) => hook?.target_url !== undefined)
  return isList ? hooks : stop(`${file} is not a list of hooks. It begins with ${JSON.stringify(hooks).slice(0, 80)}`)
}

/** @returns what became of it. */
async function move({ callback, is_active, ...hook }) {
  // A hook that was removed from the original is still listed, switched off.
  if (!is_active) return 'left out, it is switched off'
  const { event_type, target_url, secret_key, additional_headers, retry_countdown_config, config } = hook
  const fields = { event_type, target_url, secret_key, additional_headers, retry_countdown_config, config }
  const body = JSON.stringify({ ...fields, is_active: false })
  if (body.includes('"********"')) return 'left out, write what is masked into the file'
  const headers = { authorization: `Token ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${service}/hooks/`, { method: 'POST', headers, body }).catch((error) =>
    stop(`${service} cannot be reached: ${error.cause?.message || error.cause?.code || error.message}`),
  )
  const said = await answer.text()
  if (answer.status === 401) stop(`The TOKEN is not good at ${service}: ${said}`)
  if (answer.status === 201) return callback ? `made, without its callback ${callback}` : 'made'
  if (answer.status === 406) return 'there already'
  const isUnknown = answer.status === 400 && said.includes('"event_type')
  const advice = isUnknown ? '; make an event type of this name first, see docs/raising-events.md' : ''
  return `refused, ${answer.status} ${said}${advice}`
}

function stop(message) {
  console.log(message)
  process.exit(2)
}
