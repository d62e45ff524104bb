export const main = {
  namespace: 'companieshouse',
  name: 'UK Companies House',
  description:
    'Basic data of the roughly 5.7 million live companies of the United Kingdom, as Companies House publishes them once a month: name, number, status, registered office, industries, accounts dates and previous names. No officers, no owners, no dissolved companies.',
  version: '3.0.0',
  docs: ['https://download.companieshouse.gov.uk/en_output.html'],
  tags: ['open-data', 'united-kingdom', 'companies'],
  root: '',
  tools: {},
  resources: {
    companiesDb: {
      source: 'sqlite',
      database: 'companies-house.db',
      origin: 'global',
      description:
        'UK company register, basic data, as of the beginning of a month. Good for whether a company exists, where its registered office is, what it does and what it was called; not for who runs or owns it, and not for companies that are dissolved.',
      queries: {
        getSchema: {
          sql: "SELECT sql FROM sqlite_master WHERE type = 'table'",
          description: 'The SQL of every table. Use it before writing SQL of your own; not to learn about one company.',
          parameters: {},
          output: { columns: ['sql'] },
        },
        searchCompanies: {
          // Every word in quotes, so that plain words can never be read as full-text syntax; a * at its end stays one.
          sql: `WITH RECURSIVE words AS (
              SELECT '' AS word, trim(?) || ' ' AS rest
              UNION ALL
              SELECT substr(rest, 1, instr(rest, ' ') - 1), ltrim(substr(rest, instr(rest, ' ') + 1)) FROM words WHERE rest <> ''
            ),
            expression AS (
              SELECT group_concat(printf('"%w"', rtrim(word, '*')) || CASE WHEN word LIKE '%*' THEN '*' ELSE '' END, ' ') AS plain
              FROM words WHERE word <> ''
            )
            SELECT c.company_number, c.name, c.status, c.post_town, c.post_code, c.incorporation_date
            FROM company_fts JOIN company c ON c.rowid = company_fts.rowid
            WHERE company_fts MATCH (SELECT coalesce(plain, '""') FROM expression)
            ORDER BY company_fts.rank LIMIT ?`,
          description:
            'Companies by words of their present name, all of which must occur, in any order. Use it to get from a name to a company number. Not for names that a company had before: see searchPreviousNames. LIMITED and LTD are different words here: leave them out.',
          parameters: {
            query: {
              type: 'string',
              required: true,
              description:
                'Plain words of the name, e.g. "rolls royce motor". A word that ends in * finds all that begin so.',
            },
            limit: { type: 'number', required: false, default: 20, description: 'Most companies to return.' },
          },
          output: {
            columns: ['company_number', 'name', 'status', 'post_town', 'post_code', 'incorporation_date'],
          },
        },
        getByNumber: {
          sql: 'SELECT * FROM company WHERE company_number = ?',
          description:
            'One company by its number, with all basic data. Use it with a company_number from a search; not for its industries and previous names: the record companieshouse://company/{company_number} has the whole.',
          parameters: {
            companyNumber: {
              type: 'string',
              required: true,
              column: 'company.company_number',
              description: 'Eight characters with the zeros in front, e.g. 08209948 or SC606050.',
            },
          },
          output: {
            columns: [
              'company_number',
              'name',
              'status',
              'category',
              'incorporation_date',
              'address_line_1',
              'post_code',
            ],
          },
        },
        searchPreviousNames: {
          sql: `WITH RECURSIVE words AS (
              SELECT '' AS word, trim(?) || ' ' AS rest
              UNION ALL
              SELECT substr(rest, 1, instr(rest, ' ') - 1), ltrim(substr(rest, instr(rest, ' ') + 1)) FROM words WHERE rest <> ''
            ),
            expression AS (
              SELECT group_concat(printf('"%w"', rtrim(word, '*')) || CASE WHEN word LIKE '%*' THEN '*' ELSE '' END, ' ') AS plain
              FROM words WHERE word <> ''
            )
            SELECT c.company_number, p.name AS previous_name, p.changed_on, c.name, c.status
            FROM previous_name_fts JOIN previous_name p ON p.id = previous_name_fts.rowid
              JOIN company c ON c.company_number = p.company_number
            WHERE previous_name_fts MATCH (SELECT coalesce(plain, '""') FROM expression)
            ORDER BY previous_name_fts.rank LIMIT ?`,
          description:
            'Companies by words of a name that they had before. Use it where searchCompanies finds nothing, or for old documents; not for the name of today.',
          parameters: {
            query: {
              type: 'string',
              required: true,
              description:
                'Plain words of the former name, e.g. "consignia". A word that ends in * finds all that begin so.',
            },
            limit: { type: 'number', required: false, default: 20, description: 'Most companies to return.' },
          },
          output: { columns: ['company_number', 'previous_name', 'changed_on', 'name', 'status'] },
        },
        companiesAtPostcode: {
          sql: `SELECT company_number, name, status, category, address_line_1, incorporation_date
            FROM company WHERE post_code = upper(trim(?)) ORDER BY name LIMIT ?`,
          description:
            "Companies whose registered office has a postcode. Use it to see who else is registered at an address; many are only an agent's address, so sharing one means little. Not for where a company works.",
          parameters: {
            postcode: {
              type: 'string',
              required: true,
              description: 'Whole postcode with its space, e.g. "EC1V 9LT".',
            },
            limit: { type: 'number', required: false, default: 50, description: 'Most companies to return.' },
          },
          output: {
            columns: ['company_number', 'name', 'status', 'category', 'address_line_1', 'incorporation_date'],
          },
        },
        companiesByIndustry: {
          sql: `SELECT c.company_number, c.name, c.status, c.post_town, s.description
            FROM sic s JOIN company c ON c.company_number = s.company_number
            WHERE s.code = ? ORDER BY c.company_number LIMIT ?`,
          description:
            'Companies that gave an industry code, by company number. Use it for examples of an industry; not for statistics (companies choose the codes themselves), and not by words: the code is needed.',
          parameters: {
            sicCode: { type: 'string', required: true, description: 'UK SIC 2007 code of five digits, e.g. 62020.' },
            limit: { type: 'number', required: false, default: 20, description: 'Most companies to return.' },
          },
          output: { columns: ['company_number', 'name', 'status', 'post_town', 'description'] },
        },
        recentlyIncorporated: {
          sql: `SELECT company_number, name, category, post_town, incorporation_date
            FROM company ORDER BY incorporation_date DESC, company_number LIMIT ?`,
          description:
            'The companies founded last, newest first. Use it to see what is new as of the month of the data; not for foundations after it.',
          parameters: {
            limit: { type: 'number', required: false, default: 20, description: 'Most companies to return.' },
          },
          output: { columns: ['company_number', 'name', 'category', 'post_town', 'incorporation_date'] },
        },
      },
    },
  },
}
