/** `stichtag install-host`: the configuration that makes a host use this gateway, printed or merged into its file. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, resolve } from 'node:path'
import { StichtagError } from '../errors.ts'
import { commandLine } from '../package-root.ts'
import {
  type Connection,
  type HostConfiguration,
  type HostName,
  hostConfigurations,
  type Machine,
} from './host-configurations.ts'
import { mergedJson, mergedToml } from './merged-configuration.ts'
import { terminal } from './terminal.ts'

export interface InstallHostFlags {
  readonly http?: string
  readonly tokenEnv?: string
  readonly write?: boolean
  readonly json?: boolean
}

/** What was done, or would be. */
export interface Installation {
  readonly host: HostName
  readonly path: string
  /** The entry, as a file that holds nothing else. */
  readonly configuration: string
  readonly written: boolean
  /** Where the file lies as it was before; null where there was none or nothing was written. */
  readonly backup: string | null
}

const isHostName = (name: string): name is HostName => Object.hasOwn(hostConfigurations, name)

const hostNamed = (name: string): HostName => {
  if (isHostName(name)) return name
  const known = Object.keys(hostConfigurations).join(', ')
  throw new StichtagError('USAGE', `install-host knows ${known}, not ${name}`)
}

/** This very program, by absolute paths: hosts with a window rarely have a person's PATH. */
const ownCommand = (): Connection => {
  const home = process.env.STICHTAG_HOME
  return {
    kind: 'stdio',
    command: process.execPath,
    args: [commandLine, 'serve', '--stdio'],
    env: home ? { STICHTAG_HOME: resolve(home) } : {},
  }
}

const connectionOf = ({ http, tokenEnv }: InstallHostFlags): Connection => {
  if (http === undefined) {
    if (tokenEnv !== undefined) throw new StichtagError('USAGE', '--token-env goes with --http')
    return ownCommand()
  }
  if (!URL.canParse(http) || !/^https?:$/.test(new URL(http).protocol)) {
    throw new StichtagError(
      'USAGE',
      `--http takes the gateway's URL, for example http://127.0.0.1:8920/mcp, not ${http}`,
    )
  }
  if (tokenEnv !== undefined && !/^[A-Za-z_]\w*$/.test(tokenEnv)) {
    throw new StichtagError('USAGE', '--token-env takes the name of an environment variable, not the token itself')
  }
  return { kind: 'http', url: http, ...(tokenEnv === undefined ? {} : { tokenVariable: tokenEnv }) }
}

/** The installation on a machine, at an instant that names the backup. */
export const installHost = (name: string, flags: InstallHostFlags, machine: Machine, now: Date): Installation => {
  const host = hostNamed(name)
  const configuration: HostConfiguration = hostConfigurations[host]
  const { servers, format, noHttp } = configuration
  const connection = connectionOf(flags)
  if (connection.kind === 'http' && noHttp !== undefined) {
    throw new StichtagError('USAGE', `${configuration.title} takes no --http: ${noHttp}`)
  }
  const merge = format === 'json' ? mergedJson : mergedToml
  const entry = configuration.entry(connection)
  const path = configuration.path(machine)
  const done = { host, path, configuration: merge('', servers, entry) }
  if (flags.write !== true) return { ...done, written: false, backup: null }
  // A link stays a link: people keep such files elsewhere.
  const file = existsSync(path) ? realpathSync(path) : path
  const before = existsSync(file) ? readFileSync(file, 'utf8') : null
  const after = merge(before ?? '', servers, entry)
  if (after === before) return { ...done, written: false, backup: null }
  const backup = before === null ? null : `${file}.backup-${now.toISOString().replaceAll(':', '')}`
  if (backup !== null) copyFileSync(file, backup)
  replace(file, after, before === null ? 0o644 : statSync(file).mode & 0o777)
  return { ...done, written: true, backup }
}

/** By rename: a host that reads meanwhile sees the one or the other. */
const replace = (file: string, text: string, mode: number): void => {
  mkdirSync(dirname(file), { recursive: true })
  const building = `${file}.building-${process.pid}`
  writeFileSync(building, text, { mode })
  renameSync(building, file)
}

export const installHostCommand = async (name: string, flags: InstallHostFlags): Promise<number> => {
  const { env, platform } = process
  const machine = { home: homedir(), project: process.cwd(), platform, appData: env.APPDATA }
  const installation = installHost(name, flags, machine, new Date())
  if (flags.json === true) {
    terminal.json(installation)
    return 0
  }
  const { host, path, configuration, written, backup } = installation
  if (flags.write !== true) {
    terminal.note(`For ${path} (--write merges it there, and keeps a backup):`)
    terminal.print(configuration.trimEnd())
    return 0
  }
  terminal.note(written ? `${path} written.` : `${path} says so already; nothing was written.`)
  if (backup !== null) terminal.note(`As it was before: ${backup}`)
  if (written) terminal.note(hostConfigurations[host].afterwards)
  return 0
}
