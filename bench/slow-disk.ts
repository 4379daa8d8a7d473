// To be imported before anything else: each sync of the disk takes 5 ms, as on one without a fast cache.
//     NODE_OPTIONS="--import $PWD/bench/slow-disk.ts" npm run bench -- delivery
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'

const syncMs = 5
const never = new Int32Array(new SharedArrayBuffer(4))
fs.fsyncSync = () => void Atomics.wait(never, 0, 0, syncMs)
const { open } = fs.promises
fs.promises.open = async (...rest) => Object.assign(await open(...rest), { sync: () => sleep(syncMs) })
syncBuiltinESMExports()
