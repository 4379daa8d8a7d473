#!/usr/bin/env node
// What npm puts into the PATH as `waybill`: finds a Node.js that runs the server, and runs the command line with it.
// That is the pinned one, which is installed on first use.
// It runs on whatever Node.js the machine has, so it has no syntax that an old one could not even parse.
import { spawn, spawnSync } from 'child_process'
import * as fs from 'fs'
import * as path from 'path'
import { fileURLToPath } from 'url'

const root = path.dirname(path.dirname(fs.realpathSync(fileURLToPath(import.meta.url))))
const args = process.argv.slice(2)
const program = path.join(root, 'server', 'waybill.ts')
const node = preparedNode()
const flags = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=8']
const env = { ...process.env, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE || cacheFolder() }

if (process.execve && process.platform !== 'win32') {
  // The same process goes on as the command: signals, exit status and terminal are its own.
  process.execve(node, [node, ...flags, program, ...args], env)
} else runBeside()

function preparedNode() {
  const needs = { start: ['--console'], bench: ['--dev'], chaos: ['--dev'] }[args[0]] || []
  const prepared = spawnSync(process.execPath, [path.join(root, 'tools', 'prepare.mjs'), ...needs], {
    stdio: 'inherit',
  })
  if (prepared.status !== 0) process.exit(prepared.status || 1)
  return fs.realpathSync(path.join(root, 'node_modules', '.bin', 'node'))
}

/** Compiled once, it starts faster. */
function cacheFolder() {
  return path.join(root, 'node_modules', '.cache', 'compiled')
}

function runBeside() {
  const child = spawn(node, [...flags, program, ...args], { stdio: 'inherit', env })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (status, signal) => process.exit(signal ? 1 : status))
}
