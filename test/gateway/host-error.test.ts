import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { StichtagError } from '../../src/errors.ts'
import { inWordsOf, protocolError } from '../../src/gateway/host-error.ts'

const log = pino({ level: 'silent' })
const uri = 'shop://item/1'

describe('what a host sees of an error', () => {
  it('is not found, with the URI, where a resource was asked for', () => {
    for (const code of ['NOT_FOUND', 'UNKNOWN_VERSION', 'UNKNOWN_DATASET'] as const) {
      const error = protocolError(new StichtagError(code, 'gone', { data: { at: 1 } }), { method: 'read', uri }, log)
      expect(error).toMatchObject({ code: -32602, message: 'gone', data: { uri } })
    }
  })

  it('names no files of the machine, though the error does', () => {
    const missing = new StichtagError('DATABASE_MISSING', 'looked at /home/somebody/shop.db')
    const broken = new StichtagError('STORE_UNWRITABLE', '/home/somebody is full')
    for (const thrown of [missing, broken, new Error('/home/somebody'), '/home/somebody']) {
      const error = protocolError(thrown, { method: 'read', uri }, log)
      expect(error.code).toBe(-32603)
      expect(JSON.stringify([error.message, error.data])).not.toContain('somebody')
    }
  })

  it('is bad parameters where the input is bad, and words otherwise', () => {
    const of = (code: 'USAGE' | 'ARGUMENTS_INVALID' | 'QUERY_TIMEOUT') =>
      protocolError(new StichtagError(code, 'words'), { method: 'read' }, log)
    expect(of('USAGE')).toMatchObject({ code: -32602, message: 'words' })
    expect(of('ARGUMENTS_INVALID')).toMatchObject({ code: -32602, message: 'words' })
    expect(of('QUERY_TIMEOUT')).toMatchObject({ code: -32603, message: 'words' })
  })
})

describe('the words of an era', () => {
  const errorOf = (code: number, data?: object) =>
    ({ jsonrpc: '2.0', id: 1, error: { code, message: 'm', ...(data === undefined ? {} : { data }) } }) as const

  it('are -32002 for a resource that is not there on the legacy era, and -32602 on the modern one', () => {
    const missing = errorOf(-32602, { uri })
    expect(inWordsOf('legacy', missing)).toMatchObject({ error: { code: -32002, data: { uri } } })
    expect(inWordsOf('modern', missing)).toBe(missing)
  })

  it('leave other errors and results alone', () => {
    const others = [
      errorOf(-32602),
      errorOf(-32602, { uri, other: 1 }),
      errorOf(-32603, { uri }),
      { jsonrpc: '2.0', id: 1, result: {} } as const,
    ]
    for (const message of others) expect(inWordsOf('legacy', message)).toBe(message)
  })
})
