import { describe, expect, it } from 'vitest'
import { shownUrl } from '../../src/ingest/shown-url.ts'

describe('a URL as it is shown', () => {
  it.each([
    ['https://ada:secret@example.org/a?b=1', 'https://example.org/a?b=1'],
    ['https://ada@example.org', 'https://example.org'],
    ['https://example.org/a?token=abc&page=2#part', 'https://example.org/a?token=***&page=2#part'],
    ['https://example.org/a?page=2&X-Amz-Signature=abc', 'https://example.org/a?page=2&X-Amz-Signature=***'],
    ['https://example.org/a?api_key=a%26b;x=1', 'https://example.org/a?api_key=***;x=1'],
  ])('has no credentials: %s', (url, shown) => {
    expect(shownUrl(url)).toBe(shown)
  })

  it.each(['https://example.org/a@b?mail=a@b.org', '/home/a?token=b/file', 'https://example.org/?page=2&empty='])(
    'is as it is where it has none: %s',
    (url) => {
      expect(shownUrl(url)).toBe(url)
    },
  )
})
