#!/usr/bin/env node
// Says clearly that Node is too old, before anything is loaded that would crash on it (better-sqlite3 13 does on Node 20).
import { existsSync } from 'node:fs'
import module from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`stichtag needs Node 22.19 or later; this is ${process.version}.\n`)
  process.exitCode = 3
} else {
  // Without what Node compiled before, `serve` starts in 1.0 s instead of 0.5 s, and in a checkout each process has 50 MB more,
  // for what strips the types. This file is no TypeScript, so that not even it is stripped. Entries are keyed by their
  // file's content; the folder may be deleted at any time, and one that cannot be written means slower starts. It is the
  // user's own, not the shared temporary one: what lies there is run. Processes that are started from here use it, too.
  const { NODE_COMPILE_CACHE: named, XDG_CACHE_HOME: caches } = process.env
  process.env.NODE_COMPILE_CACHE = named || join(caches || join(homedir(), '.cache'), 'stichtag', 'compiled')
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE)
  const source = new URL('../src/cli/main.ts', import.meta.url)
  await import(existsSync(source) ? source.href : '../dist/src/cli/main.js')
}
