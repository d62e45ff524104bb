/**
 * Other people's libraries and servers, from npm, each in a folder of its own outside of this project: none is a
 * dependency, and none is needed for anything but the comparison.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench } from './row.ts'

export interface Peer {
  readonly name: string
  readonly package: string
  readonly version: string
  /** What is looked for once it is installed. */
  readonly entry: string
  readonly flags: readonly string[]
}

export const peers = {
  nodeGtfs: {
    name: 'node-gtfs',
    package: 'gtfs',
    version: '4.21.0',
    entry: 'node_modules/gtfs/package.json',
    flags: ['--omit=optional'],
  },
  dbhub: {
    name: 'dbhub',
    package: '@bytebase/dbhub',
    version: '1.4.0',
    entry: 'node_modules/@bytebase/dbhub/dist/index.js',
    // Drivers of other databases; SQLite's is part of Node.
    flags: ['--omit=optional'],
  },
  toolbox: {
    name: 'MCP Toolbox',
    package: '@toolbox-sdk/server',
    version: '1.12.0',
    // The program itself, which is an optional dependency, one per system: what starts it would outlive it.
    entry: `node_modules/@toolbox-sdk/server-${process.platform}-${process.arch}/bin/toolbox`,
    flags: [],
  },
} as const satisfies Readonly<Record<string, Peer>>

const folderOf = (root: string, { name }: Peer): string => join(root, name.replaceAll(' ', '-').toLowerCase())

/** Path of an installed peer; undefined where it is not. */
export const peerEntry = ({ peers: root }: Pick<Bench, 'peers'>, peer: Peer): string | undefined => {
  const path = join(folderOf(root, peer), peer.entry)
  return existsSync(path) ? path : undefined
}

export const missingPeer = ({ name }: Peer): string => `${name} is not installed; pnpm bench --install-peers does it`

/** Installs all of them. */
export const installPeers = async ({
  peers: root,
  say,
  signal,
}: Pick<Bench, 'peers' | 'say' | 'signal'>): Promise<void> => {
  for (const peer of Object.values<Peer>(peers)) {
    const folder = folderOf(root, peer)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
    say(`installing ${peer.name} (${peer.package}@${peer.version}) into ${folder}`)
    const args = [
      'install',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      ...peer.flags,
      `${peer.package}@${peer.version}`,
    ]
    const npm = spawn('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], signal })
    const [status] = await once(npm, 'close')
    if (status !== 0) throw new Error(`npm ended with ${status}: ${peer.name} is not installed`)
  }
}
