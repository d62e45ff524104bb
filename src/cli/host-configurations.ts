/** How each host is told of an MCP server: where its configuration lies, and the shape of an entry. Data, one row a host. */
import { join } from 'node:path'

/** How the host reaches the gateway. */
export type Connection =
  | {
      readonly kind: 'stdio'
      readonly command: string
      readonly args: readonly string[]
      readonly env: Readonly<Record<string, string>>
    }
  /** `tokenVariable`: the environment variable of the host that holds the bearer token. The token itself is never written. */
  | { readonly kind: 'http'; readonly url: string; readonly tokenVariable?: string }

/** Where things lie on this machine. */
export interface Machine {
  readonly home: string
  /** Folder of the project that the command is called in. */
  readonly project: string
  readonly platform: NodeJS.Platform
  /** `%APPDATA%`, on Windows. */
  readonly appData?: string | undefined
}

export type Entry = Readonly<Record<string, unknown>>

export interface HostConfiguration {
  readonly title: string
  readonly path: (machine: Machine) => string
  readonly format: 'json' | 'toml'
  /** Key under which the servers are listed. */
  readonly servers: string
  readonly entry: (connection: Connection) => Entry
  /** Why this host cannot be configured for HTTP in its file, where it cannot. */
  readonly noHttp?: string
  /** What to do for the host to notice. */
  readonly afterwards: string
}

const stdioEntry = ({ command, args, env }: Extract<Connection, { kind: 'stdio' }>): Entry => ({
  command,
  args,
  ...(Object.keys(env).length === 0 ? {} : { env }),
})

const bearer = (reference: string) => ({ headers: { Authorization: `Bearer ${reference}` } })

/** An entry whose headers refer to an environment variable as the host spells that. */
const jsonEntry =
  (types: { readonly stdio?: string; readonly http?: string }, reference: (variable: string) => string) =>
  (connection: Connection): Entry => {
    const type = types[connection.kind]
    const typed = type === undefined ? {} : { type }
    if (connection.kind === 'stdio') return { ...typed, ...stdioEntry(connection) }
    const { url, tokenVariable } = connection
    return { ...typed, url, ...(tokenVariable === undefined ? {} : bearer(reference(tokenVariable))) }
  }

/** As {@link jsonEntry}, for hosts that call the address otherwise than `url`. */
const addressAs =
  (name: string, reference: (variable: string) => string) =>
  (connection: Connection): Entry => {
    const { url, ...entry } = jsonEntry({}, reference)(connection)
    return url === undefined ? entry : { [name]: url, ...entry }
  }

const opencodeEntry = (connection: Connection): Entry => {
  if (connection.kind === 'http') {
    const entry = jsonEntry({ http: 'remote' }, (variable) => `{env:${variable}}`)(connection)
    return { ...entry, enabled: true }
  }
  const { command, args, env } = connection
  const environment = Object.keys(env).length === 0 ? {} : { environment: env }
  return { type: 'local', command: [command, ...args], enabled: true, ...environment }
}

const desktopFolder = ({ home, platform, appData }: Machine): string => {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Claude')
  if (platform === 'win32') return join(appData ?? join(home, 'AppData', 'Roaming'), 'Claude')
  return join(home, '.config', 'Claude')
}

export const hostConfigurations = {
  'claude-code': {
    title: 'Claude Code',
    path: ({ project }) => join(project, '.mcp.json'),
    format: 'json',
    servers: 'mcpServers',
    entry: jsonEntry({ stdio: 'stdio', http: 'http' }, (variable) => `\${${variable}}`),
    afterwards: 'Start Claude Code in this folder and approve the server; /mcp shows it.',
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    path: (machine) => join(desktopFolder(machine), 'claude_desktop_config.json'),
    format: 'json',
    servers: 'mcpServers',
    entry: jsonEntry({}, String),
    noHttp:
      'its file only names servers that it starts itself. Leave --http out, or add the URL in Settings → Connectors',
    afterwards: 'Quit Claude Desktop and start it again.',
  },
  vscode: {
    title: 'VS Code',
    path: ({ project }) => join(project, '.vscode', 'mcp.json'),
    format: 'json',
    servers: 'servers',
    entry: jsonEntry({ stdio: 'stdio', http: 'http' }, (variable) => `\${env:${variable}}`),
    afterwards: 'Run "MCP: List Servers" in this folder and start the server.',
  },
  cursor: {
    title: 'Cursor',
    path: ({ project }) => join(project, '.cursor', 'mcp.json'),
    format: 'json',
    servers: 'mcpServers',
    entry: jsonEntry({}, (variable) => `\${env:${variable}}`),
    afterwards: 'Open Settings → MCP and switch the server on.',
  },
  codex: {
    title: 'Codex',
    path: ({ home }) => join(home, '.codex', 'config.toml'),
    format: 'toml',
    servers: 'mcp_servers',
    entry: (connection) =>
      connection.kind === 'stdio'
        ? stdioEntry(connection)
        : {
            url: connection.url,
            ...(connection.tokenVariable === undefined ? {} : { bearer_token_env_var: connection.tokenVariable }),
          },
    afterwards: 'Start Codex again; /mcp shows it.',
  },
  windsurf: {
    title: 'Windsurf',
    path: ({ home }) => join(home, '.codeium', 'windsurf', 'mcp_config.json'),
    format: 'json',
    servers: 'mcpServers',
    entry: addressAs('serverUrl', (variable) => `\${env:${variable}}`),
    afterwards: 'Press refresh in Cascade’s list of MCP servers.',
  },
  'gemini-cli': {
    title: 'Gemini CLI',
    path: ({ home }) => join(home, '.gemini', 'settings.json'),
    format: 'json',
    servers: 'mcpServers',
    entry: addressAs('httpUrl', (variable) => `\${${variable}}`),
    afterwards: 'Start Gemini CLI again; /mcp shows it.',
  },
  opencode: {
    title: 'opencode',
    path: ({ project }) => join(project, 'opencode.json'),
    format: 'json',
    servers: 'mcp',
    entry: opencodeEntry,
    afterwards: 'Start opencode again in this folder.',
  },
} as const satisfies Readonly<Record<string, HostConfiguration>>

export type HostName = keyof typeof hostConfigurations
