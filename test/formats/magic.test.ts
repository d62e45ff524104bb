import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { compressionOf, foreignKind, looksLikeHtml } from '../../src/formats/magic.ts'

describe('the compression of a file', () => {
  it('is known by its first bytes, whatever the name says', () => {
    expect(compressionOf(gzipSync('a'), 'a.csv')).toBe('gzip')
    expect(compressionOf(zstdCompressSync('a'), 'a.gz')).toBe('zstd')
    expect(compressionOf(Buffer.from('BZh91AY'), 'a')).toBe('bzip2')
    expect(compressionOf(Buffer.from('fd377a585a0000', 'hex'), 'a')).toBe('xz')
    expect(compressionOf(Buffer.from('id,name'), 'a.csv.gz')).toBe('none')
  })

  it('is brotli by its name alone, since brotli has no magic bytes', () => {
    expect(compressionOf(brotliCompressSync('a'), 'a.csv.br')).toBe('brotli')
    expect(compressionOf(brotliCompressSync('a'), 'a.csv')).toBe('none')
  })

  it('is not bzip2 for text that begins with the same letters', () => {
    expect(compressionOf(Buffer.from('BZh,name'), 'a.csv')).toBe('none')
  })
})

describe('an HTML page', () => {
  it.each([
    ['<!DOCTYPE html><html>'],
    ['\n  <html lang="de">'],
    ['\ufeff<!doctype HTML>'],
    ['<?xml version="1.0"?>\n<!-- login -->\n<!DOCTYPE html PUBLIC "x">'],
    ['<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">'],
    ['<head><title>502</title>'],
  ])('is recognised in %j', (text) => {
    expect(looksLikeHtml(Buffer.from(text))).toBe(true)
  })

  it('is recognised in UTF-16', () => {
    expect(looksLikeHtml(Buffer.from('\ufeff<html>', 'utf16le'))).toBe(true)
  })

  it.each([['<?xml version="1.0"?><export>'], ['<sdnList>'], ['<header>'], ['{"a":"<html>"}'], ['id,<html>'], ['']])(
    'is not seen in %j',
    (text) => {
      expect(looksLikeHtml(Buffer.from(text))).toBe(false)
    },
  )
})

describe('what no reader of records takes', () => {
  it.each([
    ['PK\x03\x04rest', 'a zip archive'],
    ['SQLite format 3\0rest', 'an SQLite database'],
    ['%PDF-1.7', 'a PDF document'],
    [`${'\0'.repeat(257)}ustar`, 'a tar archive'],
    ['<html>', 'an HTML page'],
  ])('is named: %j', (text, kind) => {
    expect(foreignKind(Buffer.from(text, 'latin1'))).toBe(kind)
  })

  it('is nothing that looks like data', () => {
    expect(foreignKind(Buffer.from('id,name\n1,PK\n'))).toBeUndefined()
  })
})
