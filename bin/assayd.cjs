#!/usr/bin/env node
'use strict'
/**
 * `assayd` as it is installed. JavaScript that also an old Node understands: where the machine's Node is too old it runs
 * the server by the package `node`, if that is installed beside it, and otherwise says what to do.
 */
const { spawn } = require('node:child_process')
const { engines } = require('../package.json')

/** @param {string} version @param {string} needed */
function isEnough(version, needed) {
  const have = version.split('.').map(Number)
  const want = needed
    .replace(/[^\d.]/g, '')
    .split('.')
    .map(Number)
  const at = want.findIndex((number, i) => number !== have[i])
  return at === -1 || Number(have[at]) > Number(want[at])
}

function nodeBeside() {
  try {
    return require.resolve('node/bin/node')
  } catch (_notInstalled) {
    return undefined
  }
}

/**
 * As if the other Node had been started instead: same streams, same signals, same end.
 * @param {string} node
 */
function runBy(node) {
  const child = spawn(node, [__filename].concat(process.argv.slice(2)), { stdio: 'inherit' })
  process.on('SIGTERM', (signal) => child.kill(signal))
  process.on('SIGINT', (signal) => child.kill(signal))
  process.on('SIGHUP', (signal) => child.kill(signal))
  child.on('error', (error) => {
    console.error(`${node} cannot be run: ${error.message}`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

if (isEnough(process.versions.node, engines.node)) {
  import('../src/main.js').catch((error) => {
    console.error(error)
    process.exit(1)
  })
} else {
  const node = nodeBeside()
  if (node) runBy(node)
  else {
    console.error(
      `Assay needs Node ${engines.node.replace('>=', '')} or later, and this is ${process.versions.node}. ` +
        'Install a newer Node, or put one beside Assay: npm install node@24',
    )
    process.exit(1)
  }
}
