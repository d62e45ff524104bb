import { describe, expect, it } from 'vitest'
import { commandHelp, helpAfter } from '../../src/cli/command-help.ts'
import { buildProgram } from '../../src/cli/program.ts'

const { commands } = buildProgram()
const examples = Object.entries(commandHelp).flatMap(([name, { examples }]) =>
  examples.map(([line]) => ({ name, line })),
)

/** A command line's words, without quotes. */
const wordsOf = (line: string): string[] => line.match(/(?:'[^']*'|[^\s'])+/g) ?? []

describe('--help', () => {
  it.each(commands.map((command) => command.name()))('of %s has examples and exit statuses', (name) => {
    expect(commandHelp).toHaveProperty(name)
    expect(helpAfter(name)).toMatch(new RegExp(`Examples:\n {2}stichtag ${name}\\b.*Exit status:\n {2}0 {2}\\S`, 's'))
  })

  it.each(examples)('shows a command line that the program takes: $line', ({ name, line }) => {
    const [first, ...words] = wordsOf(line)
    expect(first).toBe(name)
    const command = commands.find((each) => each.name() === name)
    const { operands = [], unknown = [] } = command?.parseOptions(words) ?? {}
    expect(unknown).toEqual([])
    const taken = command?.registeredArguments ?? []
    expect(operands.length).toBeGreaterThanOrEqual(taken.filter(({ required }) => required).length)
    if (!taken.some(({ variadic }) => variadic)) expect(operands.length).toBeLessThanOrEqual(taken.length)
  })

  it('is there for no command that is not', () => {
    expect(Object.keys(commandHelp).sort()).toEqual(commands.map((command) => command.name()).sort())
  })

  it('every command takes --json', () => {
    const without = commands.filter((command) => !command.options.some(({ long }) => long === '--json'))
    expect(without.map((command) => command.name())).toEqual([])
  })
})
