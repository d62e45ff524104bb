import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { typedArguments } from '../../src/cli/call.ts'
import { type CommandLine, commandLine } from './stichtag.ts'

describe('arguments in a terminal', () => {
  const schema = {
    properties: {
      text: { type: 'string' },
      count: { type: 'integer' },
      share: { type: 'number' },
      flag: { type: 'boolean' },
      list: { type: 'array' },
      object: { type: 'object' },
    },
  }
  it.each([
    [{ text: '12' }, { text: '12' }],
    [{ count: '12' }, { count: 12 }],
    [{ count: '9007199254740993' }, { count: '9007199254740993' }],
    [{ share: '0.75' }, { share: 0.75 }],
    [{ share: '' }, { share: '' }],
    [{ flag: 'true' }, { flag: true }],
    [{ flag: 'yes' }, { flag: 'yes' }],
    [{ list: 'a, b' }, { list: ['a', 'b'] }],
    [{ list: '["a,b"]' }, { list: ['a,b'] }],
    [{ object: '{"a": 1}' }, { object: { a: 1 } }],
    [{ object: '{a' }, { object: '{a' }],
    [{ unknown: '1' }, { unknown: '1' }],
  ])('%j are given to the tool as %j', (texts, expected) => {
    expect(typedArguments(texts, schema)).toEqual(expected)
  })
})

describe('stichtag call', () => {
  let here: CommandLine
  beforeAll(() => {
    here = commandLine()
    expect(here.run(['ingest', 'offeneregister', '--sample']).status).toBe(0)
  })
  afterAll(() => here.remove())

  it('prints what a host gets from a tool that no other command calls', () => {
    const { status, stdout } = here.run(['call', 'search', 'query=musterbau', 'limit=2', 'datasets=offeneregister'])
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ results: expect.any(Array), datasets: [{ dataset: 'offeneregister' }] })
  })

  it('takes the arguments as JSON as well', () => {
    const { stdout } = here.run(['call', 'list_datasets', '--json', '--arguments', '{"dataset": "offeneregister"}'])
    expect(JSON.parse(stdout)).toMatchObject({ datasets: [{ dataset: 'offeneregister' }] })
  })

  it('calls a query under its own name, whether it is listed or folded', () => {
    const args = ['call', 'getByNumber_offeneregister', 'companyNumber=K1101R_HRB150148']
    expect(JSON.parse(here.run(args).stdout)).toMatchObject({ rows: [{ company_number: 'K1101R_HRB150148' }] })
  })

  it.each([
    [['call', 'serach', 'query=a'], 2, /Did you mean search\?/],
    [['call', 'search', 'query=a', 'limit=many'], 2, /ARGUMENTS_INVALID.*limit/],
    [['call', 'search', '--arguments', 'query=a'], 2, /must be a JSON object/],
    [['call', 'search', 'query=a', '--arguments', '{}'], 2, /not both/],
  ])('%j is refused and says why', (args, status, words) => {
    const ended = here.run(args)
    expect(ended.stderr).toMatch(words)
    expect(ended.status).toBe(status)
  })
})
