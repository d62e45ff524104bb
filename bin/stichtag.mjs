#!/usr/bin/env node
// Says clearly that Node is too old, before anything is loaded that would crash on it (better-sqlite3 13 does on Node 20).
import { existsSync } from 'node:fs'
import module from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * An ingest keeps all cores busy by itself. V8 has four threads for background work beside them, whatever the machine; as
 * many as it has cores, less one, take a fifth less of the processor (2 million rows of CSV on two cores: 5.9 to 4.7 s). That can
 * only be said when Node starts (0 asks for it), and starting anew in the same process takes 25 ms.
 */
const startAnew = () => {
  const flag = '--v8-pool-size'
  const isSaid = [...process.execArgv, process.env.NODE_OPTIONS ?? ''].some((each) => each.includes(flag))
  if (process.argv[2] !== 'ingest' || isSaid || process.platform === 'win32' || process.execve === undefined) return
  process.execve(process.execPath, [process.execPath, `${flag}=0`, ...process.execArgv, ...process.argv.slice(1)])
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`stichtag needs Node 22.19 or later; this is ${process.version}.\n`)
  process.exitCode = 3
} else {
  // Without what Node compiled before, `serve` starts in 1.0 s instead of 0.5 s, and in a checkout each process has 50 MB more,
  // for what strips the types. This file is no TypeScript, so that not even it is stripped. Entries are keyed by their
  // file's content; the folder may be deleted at any time, and one that cannot be written means slower starts. It is the
  // user's own, not the shared temporary one: what lies there is run. Processes that are started from here use it, too.
  startAnew()
  const { NODE_COMPILE_CACHE: named, XDG_CACHE_HOME: caches } = process.env
  process.env.NODE_COMPILE_CACHE = named || join(caches || join(homedir(), '.cache'), 'stichtag', 'compiled')
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE)
  const source = new URL('../src/cli/main.ts', import.meta.url)
  await import(existsSync(source) ? source.href : '../dist/src/cli/main.js')
}
