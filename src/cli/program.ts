/** The commands and their options. Each command is loaded when it is called, so that start-up stays short. */
import { Command, InvalidArgumentError } from 'commander'
import { StichtagError } from '../errors.ts'
import { packageVersion } from '../package-root.ts'
import { settingProblems, settings } from '../settings.ts'
import { helpAfter } from './command-help.ts'
import { takeLittleMemory } from './serve-memory.ts'

type Action = (...args: never[]) => Promise<number>

/** Runs a command and sets the exit status. A setting of no use is told before anything is done. */
const running =
  (load: () => Promise<Action>) =>
  async (...args: unknown[]): Promise<void> => {
    const problems = settingProblems()
    if (problems.length > 0) throw new StichtagError('USAGE', problems.join('; '))
    const action = await load()
    // Commander calls with the arguments and options that the command declares; each action's types say the same.
    process.exitCode = await action(...(args as never[]))
  }

const list = (text: string): string[] => {
  const items = text.split(',').map((item) => item.trim())
  if (items.some((item) => item === '')) throw new InvalidArgumentError('expected names separated by commas')
  return items
}

const wholeNumber = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('expected a whole number')
  return Number(text)
}

const project = ['--project', 'the store of this folder (.flowmcp) instead of the global one'] as const
const json = ['--json', 'one JSON document on stdout; of an error {error: {code, message}}'] as const

const settingsHelp = (): string =>
  `\nSettings (environment):\n${settings.map(({ name, fallback, help }) => `  ${name}  ${help} Default: ${fallback}.`).join('\n')}`

/** @param isJson whether what has no command of its own to print, the version, is a document too */
export const buildProgram = (isJson = false): Command => {
  const program = new Command('stichtag')
    .description('Keeps open data current as versioned SQLite snapshots, and serves them read-only over MCP.')
    .version(isJson ? JSON.stringify({ version: packageVersion }) : packageVersion)
    .exitOverride()
    .showHelpAfterError('(--help shows what there is)')
    .addHelpText('after', settingsHelp())

  program
    .command('ingest')
    .description('run pipelines: fetch, build a snapshot, publish it')
    .argument('[datasets...]')
    .option('--all', 'every pipeline there is')
    .option('--from <path|url>', 'a file, a folder or a URL instead of the declared source')
    .option('--sample', 'the bundled, invented sample')
    .option('--dry-run', 'print the plan and do nothing')
    .option('--force', 'build even where the source says that nothing changed')
    .option('--accept-shrink', 'override the guard against shrinking')
    .option('--accept <guard,…>', 'override these guards by name', list)
    .option('--adopt', 'move a file of yours that occupies the pointer aside')
    .option(...project)
    .option(...json)
    .action(running(async () => (await import('./ingest.ts')).ingest))

  program
    .command('schedule')
    .description('run what is due, on each dataset’s cron')
    .option('--datasets <a,b>', 'these, instead of those that were ingested once', list)
    .option(...project)
    .option('--json', 'one JSON document on stdout when it begins: what is scheduled')
    .action(running(async () => (await import('./schedule.ts')).schedule))

  program
    .command('serve')
    .description('serve snapshots and FlowMCP schemas over MCP')
    .option('--http [[host:]port]', 'Streamable HTTP on 127.0.0.1:8920, path /mcp')
    .option('--stdio', 'stdin and stdout, for a host that starts this process')
    .option('--datasets <a,b>', 'only these', list)
    .option('--schemas <dir>', 'more FlowMCP schemas', (dir: string, dirs: string[] = []) => [...dirs, dir])
    .option('--schedule', 'run the schedule in this process as well')
    .option('--token-file <file>', 'HTTP asks for a bearer token of this file: one a line, # begins a comment')
    .option('--oauth-issuer <url>', 'HTTP asks for a JWT of this authorisation server')
    .option('--oauth-jwks <url>', 'where its keys are published; where its metadata say if left out')
    .option('--oauth-resource <url>', 'under which hosts reach this gateway, /mcp included: the audience of tokens')
    .option('--oauth-scope <scope>', 'a scope that tokens must have')
    .option('--oauth-dataset-scope <scope>', 'the scope for one dataset, such as data:{dataset}; data:* is for all')
    .option('--oauth-plain-http', 'its keys may come over plain http from beyond this machine')
    .option('--open', 'HTTP beyond this machine, for everybody who reaches it')
    .option('--allow-host <a,b>', 'further host names under which HTTP is asked for', list)
    .option('--allow-origin <a,b>', 'further web pages that may ask over HTTP', list)
    .option('--rate-limit <n>', 'requests a second for each client; 0 for no limit', wholeNumber)
    .option('--tls-cert <file>', 'certificate in PEM: HTTPS instead of HTTP')
    .option('--tls-key <file>', 'its key in PEM')
    .option(...project)
    .option(
      '--json',
      'one JSON document on stdout when it begins: where it serves (not with --stdio, whose stdout is MCP)',
    )
    .action(
      running(async () => {
        // With half of it loaded, V8 has made as much room as a gateway makes good use of.
        await import('../gateway/http.ts')
        takeLittleMemory()
        return (await import('./serve.ts')).serve
      }),
    )

  program
    .command('status')
    .description('every dataset: version, age, next run, state')
    .argument('[datasets...]', 'all if left out')
    .option(...project)
    .option(...json)
    .action(running(async () => (await import('./status.ts')).status))

  program
    .command('snapshots')
    .description('kept versions of a dataset')
    .argument('<dataset>')
    .option('--pin <version>', 'have prune keep it')
    .option('--unpin <version>', 'let prune have it again')
    .option(...project)
    .option(...json)
    .action(running(async () => (await import('./snapshots.ts')).snapshots))

  program
    .command('diff')
    .description('what changed between two versions, field by field')
    .argument('<dataset>')
    .argument('[from]', 'a version; the base of `to` if left out')
    .argument('[to]', 'a version; current if left out')
    .option('--all', 'every difference for people too, not the first 50 of each kind in a table; --json has all')
    .option(...project)
    .option(...json)
    .action(running(async () => (await import('./diff.ts')).diff))

  program
    .command('rollback')
    .description('make an older version current again')
    .argument('<dataset>')
    .argument('[version]', 'the newest one older than current if left out')
    .option(...project)
    .option(...json)
    .action(running(async () => (await import('./move.ts')).rollbackCommand))

  program
    .command('release')
    .description('make a refused or held version current after all')
    .argument('<dataset>')
    .argument('<version>')
    .option(...project)
    .option(...json)
    .action(running(async () => (await import('./move.ts')).releaseCommand))

  program
    .command('prune')
    .description('remove snapshots, refused ones and raw downloads that retention does not keep')
    .argument('[datasets...]', 'all if left out')
    .option(...project)
    .option(...json)
    .action(running(async () => (await import('./prune.ts')).pruneCommand))

  program
    .command('doctor')
    .description('examine every snapshot, pointer and leftover, and say what to do')
    .argument('[datasets...]', 'all if left out')
    .option(...project)
    .option(...json)
    .action(running(async () => (await import('./doctor.ts')).doctor))

  program
    .command('read')
    .description('what a host would read at a URI')
    .argument('<uri>')
    .option(...project)
    .option(...json)
    .action(running(async () => (await import('./read.ts')).read))

  program
    .command('query')
    .description('what a host would get from a FlowMCP query')
    .argument('<dataset>')
    .argument('<query>')
    .argument('[parameters...]', 'name=value')
    .option(...project)
    .option(...json)
    .action(running(async () => (await import('./query.ts')).query))

  program
    .command('call')
    .description('what a host would get from any tool: search, fetch, changes, screen_name, a query')
    .argument('<tool>', 'its name as hosts see it')
    .argument('[arguments...]', 'name=value; a list as a,b')
    .option('--arguments <json>', 'all arguments as one JSON object instead')
    .option(...project)
    .option(...json)
    .action(running(async () => (await import('./call.ts')).call))

  program
    .command('watch')
    .description('print a line whenever one of the URIs reads differently')
    .argument('<uris...>')
    .option('--http <url>', 'of a running gateway; without it one is started')
    .option('--token-file <file>', 'whose first token the gateway is shown; STICHTAG_TOKEN without it')
    .option(...project)
    .option('--json', 'each line a JSON document: {at, uri}')
    .action(running(async () => (await import('./watch.ts')).watch))

  program
    .command('install-host')
    .description('the configuration that makes a host use this gateway')
    .argument('<host>', 'claude-code, claude-desktop, vscode, cursor, codex, windsurf, gemini-cli or opencode')
    .option('--http <url>', 'of a running gateway; without it the host starts one over stdio')
    .option('--token-env <name>', 'environment variable of the host that holds the token for --http')
    .option('--write', "merge it into the host's file, and keep a backup")
    .option(...json)
    .action(running(async () => (await import('./install-host.ts')).installHostCommand))

  program
    .command('validate')
    .description('check FlowMCP schemas')
    .argument('<files...>', 'schema files, or folders of them')
    .option(...json)
    .action(running(async () => (await import('./validate.ts')).validate))

  program
    .command('demo')
    .description('the whole story on invented data, offline, in seconds')
    .option(...json)
    .action(running(async () => (await import('./demo.ts')).demo))

  for (const command of program.commands) command.addHelpText('after', helpAfter(command.name()))
  return program
}
