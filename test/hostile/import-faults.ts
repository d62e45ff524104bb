/**
 * Where importing such data has failed in public, in our words, and which tests show that it does not here. The numbers
 * are those of the list that the project was given; `title` is that of a test, or a text in a row of its table.
 */

/** A test by its file, and its title or a text in its row. */
export interface TestReference {
  readonly file: string
  readonly title: string
}

export interface ImportFault {
  readonly id: string
  readonly fault: string
  readonly outcome: string
  readonly tests: readonly TestReference[]
}

const here = (title: string): TestReference => ({ file: 'test/hostile/import-faults.test.ts', title })
const inFile =
  (file: string) =>
  (title: string): TestReference => ({ file, title })
const download = inFile('test/ingest/download.test.ts')
const matrix = inFile('test/ingest/fault-matrix.test.ts')
const xml = inFile('test/formats/xml.test.ts')
const uksl = inFile('test/data/uksl.test.ts')
const ofac = inFile('test/data/ofacsdn.test.ts')

export const importFaults: readonly ImportFault[] = [
  {
    id: 'B02',
    fault: 'A row lacks a value that it must have, and its hour has one digit',
    outcome: 'That row is rejected and counted; an hour is text like any other',
    tests: [
      here('without a mandatory value are rejected with their line, and the others are taken'),
      here('keep times as they are, whatever the hour and however many digits it has'),
    ],
  },
  {
    id: 'B05',
    fault: 'A column goes by another name than the one that is known',
    outcome: 'It is kept and warned of; the known one is NULL',
    tests: [here('that nobody knows are kept and told, and the one that was meant is empty')],
  },
  {
    id: 'B06',
    fault: 'A column is empty in every row although it is required',
    outcome: 'The rows are taken',
    tests: [here('may have a column that is empty in each of them')],
  },
  {
    id: 'B08',
    fault: 'A well-formed file lacks most of its rows',
    outcome: 'A guard refuses it',
    tests: [inFile('test/ingest/refusal.test.ts')('leaves current as it was, and says what is wrong with it')],
  },
  ...['B09', 'B10', 'B11'].map((id) => ({
    id,
    fault: 'Hours past 24, past 99, or of one digit',
    outcome: 'They are kept as they are',
    tests: [here('keep times as they are, whatever the hour and however many digits it has')],
  })),
  {
    id: 'B14',
    fault: 'A row has a field more than the header',
    outcome: 'It is rejected, or fails the run, with its line',
    tests: [here('with a field too many are rejected with their line, or fail the run by it')],
  },
  {
    id: 'B15',
    fault: 'Rows have fewer fields than the header',
    outcome: 'They are padded with NULL where the pipeline says so',
    tests: [here('that are short are padded with nothing, and told')],
  },
  {
    id: 'B18',
    fault: 'A quote closes where it must not',
    outcome: 'One rejected row, or a lenient reading where that is known of the source',
    tests: [here('with a quote in the middle are one rejected row, or taken where that is known of the source')],
  },
  {
    id: 'B19',
    fault: 'Lines end in CR CR LF',
    outcome: 'They are read',
    tests: [here('may end in CR CR LF')],
  },
  {
    id: 'B20',
    fault: 'The first column is behind a byte order mark, and quoted',
    outcome: 'It has its name',
    tests: [here('are counted as they are where a header is quoted, behind a byte order mark')],
  },
  {
    id: 'B21',
    fault: 'A file that others have is not there',
    outcome: 'It is left out where the pipeline calls it optional',
    tests: [
      inFile('test/ingest/optional.test.ts')(
        'may be absent from a folder; the other one, and the folder, must be there',
      ),
    ],
  },
  {
    id: 'B23',
    fault: 'A Mac packed it: a folder around the files, and twins of them',
    outcome: 'The folder is used, the twins are passed over',
    tests: [here('by a Mac, with a folder and its twins')],
  },
  {
    id: 'B24',
    fault: 'Several folders of an archive could be meant',
    outcome: 'An error that names them; one can be declared',
    tests: [here('with two folders that could be meant fails the run by naming them, and one can be declared')],
  },
  {
    id: 'B26',
    fault: 'The archive is none',
    outcome: 'A clean error',
    tests: [here('that is none fails the run cleanly')],
  },
  {
    id: 'B27',
    fault: 'zip64, and sizes that stand behind the bytes',
    outcome: 'They are read by the central directory',
    tests: [here('of zip64'), here('with sizes behind the bytes')],
  },
  {
    id: 'B29',
    fault: 'bzip2 of several streams, with other bytes behind them',
    outcome: 'All streams are read, the rest is warned of',
    tests: [here('of many streams is read to the end, and what follows them is told')],
  },
  {
    id: 'B31',
    fault: 'A message of an error, or half a file, with status 200',
    outcome: 'It is refused before anything is replaced',
    tests: [
      here('that answers with a message of its database, as if that were the file, keeps what was there'),
      here('with a page'),
      download('less than announced'),
      matrix('sends half of a compressed file'),
    ],
  },
  {
    id: 'B32',
    fault: 'The address answers 404, since the file became two',
    outcome: 'What was there stays',
    tests: [here('that it is gone'), matrix('is gone')],
  },
  {
    id: 'B33',
    fault: 'Quotes that are not doubled, rows of another length, bytes that are no text',
    outcome: 'Each costs its own line',
    tests: [
      here('has quotes that are not doubled, lines of another length, and bytes that are no text: each costs its line'),
    ],
  },
  {
    id: 'B34',
    fault: 'An end-of-file character, a word for nothing, remarks that go on in another file',
    outcome: 'No phantom row, NULL, whole remarks',
    tests: [
      here('ends in the end-of-file character of DOS, and has a word for nothing'),
      ofac('joins a remark to its end, and finds what stands across the cut'),
    ],
  },
  {
    id: 'B35',
    fault: 'Files are retired',
    outcome: 'A reason code of its own, and what was there stays',
    tests: [here('that it is gone'), download('is retired on %i, at once')],
  },
  {
    id: 'B36',
    fault: 'All addresses lead elsewhere',
    outcome: 'They are followed; what is recorded is the declared one',
    tests: [here('that has moved is followed, and goes by the address that was declared')],
  },
  {
    id: 'B38',
    fault: 'A source is given up, and its address answers with a page',
    outcome: 'The run fails and says so',
    tests: [here('with a page')],
  },
  {
    id: 'B39',
    fault: 'One entity is many rows',
    outcome: 'Rows are grouped, whatever their order',
    tests: [
      uksl('merges the rows of a designation'),
      uksl('reads the same where the rows of all designations are mixed'),
    ],
  },
  {
    id: 'B40',
    fault: 'Bursts of errors, a minute to the first byte, pages in place of data',
    outcome: 'It is tried again and waited for; a page is no data; the outcome has a name',
    tests: [
      download('is asked again on %i'),
      download('is unreachable where it never answers'),
      matrix('answers with a page'),
    ],
  },
  {
    id: 'B42',
    fault: 'Thousands of references in XML; entities that are declared',
    outcome: 'The former are resolved, the latter refused',
    tests: [xml('resolves built-in and numeric references, however many there are'), xml('declares entities')],
  },
  {
    id: 'B43',
    fault: 'A bare & in XML',
    outcome: 'An error with its line, and no snapshot',
    tests: [xml('has a bare ampersand')],
  },
  {
    id: 'B45',
    fault: 'A search through whole rows finds whoever is only mentioned',
    outcome: 'Full text is over names alone',
    tests: [
      uksl('does not find a name that only stands in the reasons'),
      ofac('does not find a name that only stands in remarks'),
    ],
  },
  {
    id: 'B49',
    fault: 'The publisher changes the format',
    outcome: 'The format is a line of the pipeline',
    tests: [inFile('test/ingest/formats.test.ts')('of %s becomes rows, and loses no digit')],
  },
  {
    id: 'B50',
    fault: 'A mapped column is not in the header, and nobody notices',
    outcome: 'The run fails, with the header',
    tests: [here('that the mapping needs and the header lacks fail the run, with all that it has')],
  },
  {
    id: 'B52',
    fault: 'Rows with too many values, a NUL byte, other columns in each record',
    outcome: 'A rejected row, no NUL, and no column or statement for each name',
    tests: [
      here('with a field too many are rejected with their line, or fail the run by it'),
      here('may have a NUL byte, which goes, and is told with its line'),
      here('that are others in each record become no column each'),
    ],
  },
]

/** Lines of that list that are not about reading, and where they belong. */
export const elsewhere: Readonly<Record<string, string>> = {
  B03: 'keys of a timetable’s transfers: the mapping of timetables',
  B04: 'references of a timetable that lead nowhere: the mapping of timetables',
}
