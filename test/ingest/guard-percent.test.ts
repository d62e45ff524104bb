import { describe, expect, it } from 'vitest'
import { inThousands, percents } from '../../src/ingest/guard-percent.ts'
import { tooManyRejected } from '../../src/ingest/guard-rows.ts'

describe('percentages', () => {
  it.each([
    [
      [0.5, 0.2],
      ['50.0 %', '20.0 %'],
    ],
    [
      [1, 0.001],
      ['100.0 %', '0.1 %'],
    ],
    [
      [5 / 30_023, 0.0001],
      ['0.017 %', '0.01 %'],
    ],
    [
      [0.0101, 0.01],
      ['1.01 %', '1.0 %'],
    ],
    [
      [0.001_04, 0.001],
      ['0.104 %', '0.1 %'],
    ],
    [
      [0.9997, 0.2],
      ['99.97 %', '20.0 %'],
    ],
    [
      [1 / 3_000_000, 0],
      ['0.000033 %', '0.0 %'],
    ],
    [
      [0, 0],
      ['0.0 %', '0.0 %'],
    ],
  ])('of %j are %j', (shares, words) => {
    expect(percents(...shares)).toEqual(words)
  })
})

it('a delivery with too many rejected records is told by figures that differ', () => {
  const figures = {
    rows: {},
    currentRows: null,
    read: 30_023,
    rejected: 5,
    filled: {},
    brokenKeys: {},
    publisherDate: null,
    currentDate: null,
    now: new Date(),
  }
  expect(tooManyRejected(0.0001, figures).map(({ message }) => message)).toEqual([
    '5 of 30,023 records were rejected (0.017 %, at most 0.01 %)',
  ])
})

it('counts are read in thousands', () => {
  expect([7, 30_023, 5_305_567].map(inThousands)).toEqual(['7', '30,023', '5,305,567'])
})
