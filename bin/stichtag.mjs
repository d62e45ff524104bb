#!/usr/bin/env node
// Says clearly that Node is too old, before anything is loaded that would crash on it (better-sqlite3 13 does on Node 20).
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`stichtag needs Node 22.19 or later; this is ${process.version}.\n`)
  process.exitCode = 3
} else {
  await import('../dist/src/cli/main.js')
}
