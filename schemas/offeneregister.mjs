export const main = {
  namespace: 'offeneregister',
  name: 'OffeneRegister',
  description:
    'German company register data (OffeneRegister): companies, associations and partnerships with their officers, previous names and moves between registers, as OpenCorporates collected them between 2017 and January 2019. Frozen since February 2019: not a current extract, and not an official register.',
  version: '3.0.0',
  docs: ['https://offeneregister.de'],
  tags: ['open-data', 'germany', 'companies'],
  root: '',
  tools: {},
  resources: {
    companiesDb: {
      source: 'sqlite',
      database: 'openregister.db',
      origin: 'global',
      description:
        'German company register data (OffeneRegister), about 5.3 million companies. State of 2017 to January 2019: good for who a company was, where it sat and who acted for it then; not for whether that still holds today.',
      queries: {
        getSchema: {
          sql: "SELECT sql FROM sqlite_master WHERE type='table'",
          description:
            'The SQL of every table. Use it before writing SQL of your own; not to learn about one company. The view companies(company_number, name, registered_address, status, registered_date, …) is not a table and therefore not listed.',
          parameters: {},
          output: { columns: ['sql'] },
        },
        searchCompanies: {
          sql: 'SELECT company_number, name, registered_address, status FROM companies WHERE name LIKE ? LIMIT ?',
          description:
            'Companies whose name fits a pattern. Use it when you know how the name begins or what it contains literally; not for single words or for spellings you are unsure of (Mueller or Müller): the full-text search over datasets is faster and finds both, and names that a company had before. A name can belong to several companies.',
          parameters: {
            searchTerm: {
              type: 'string',
              required: true,
              description:
                'The name, with % for any text: "%Siemens%" finds names that contain it, "Siemens" only that exact name.',
            },
            limit: { type: 'number', required: false, default: 10, description: 'Most companies to return.' },
          },
          output: { columns: ['company_number', 'name', 'registered_address', 'status'] },
        },
        getByNumber: {
          sql: 'SELECT * FROM companies WHERE company_number = ?',
          description:
            'One company by its number. Use it when you have a company_number from a search; not with a German register number such as "Hamburg HRB 150148", and not for officers: the record offeneregister://company/{company_number} has the whole company.',
          parameters: {
            companyNumber: {
              type: 'string',
              required: true,
              column: 'company.company_number',
              description: 'Court code, register and number in one word, e.g. K1101R_HRB150148.',
            },
          },
          output: { columns: ['company_number', 'name', 'registered_address', 'status', 'registered_date'] },
        },
        recentRegistrations: {
          // Only moves between registers carry a date, and only their companies are looked at: a few of 5.3 million.
          sql: `SELECT company_number, name, registered_date FROM companies
            WHERE company_number IN (SELECT subsequent_company_number FROM registrations)
            ORDER BY registered_date DESC NULLS LAST LIMIT ?`,
          description:
            'Companies by the date of their entry in the register, latest first. The source has no date of foundation: only companies that came from another register (moved seat, renumbered) have a registered_date, and only these are listed. Not for new companies of today: the data end in January 2019.',
          parameters: {
            limit: { type: 'number', required: false, default: 20, description: 'Most companies to return.' },
          },
          output: { columns: ['company_number', 'name', 'registered_date'] },
        },
        searchOfficers: {
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
            SELECT o.name, o.position, o.city, o.type, o.dismissed, o.start_date, o.end_date,
              o.company_id AS company_number, c.name AS company_name
            FROM officer_fts JOIN officer o ON o.id = officer_fts.rowid LEFT JOIN company c ON c.company_number = o.company_id
            WHERE officer_fts MATCH (SELECT coalesce(plain, '""') FROM expression)
            ORDER BY officer_fts.rank LIMIT ?`,
          description:
            'Officers (managing directors, authorised signatories, board members, liquidators) by words of their name and city, all of which must occur, in any order. Use it to find a person or an acting company and the companies they acted for; not for company names. People of the same name are not told apart: the data have no dates of birth. Former officers are included (dismissed = 1).',
          parameters: {
            query: {
              type: 'string',
              required: true,
              description:
                'Plain words, e.g. "Mueller Hamburg". Write umlauts as letter + e: Mueller finds Mueller and Müller, Müller only itself. A word that ends in * finds all that begin so.',
            },
            limit: { type: 'number', required: false, default: 20, description: 'Most officers to return.' },
          },
          output: {
            columns: [
              'name',
              'position',
              'city',
              'type',
              'dismissed',
              'start_date',
              'end_date',
              'company_number',
              'company_name',
            ],
          },
        },
        officersOfCompany: {
          sql: `SELECT ordinal, name, position, type, firstname, lastname, title, city, dismissed, start_date, end_date
            FROM officer WHERE company_id = ? ORDER BY ordinal`,
          description:
            'Everybody who acted or acts for one company, former ones (dismissed = 1) included, in the order of the source. Use it with a company_number from a search; not to find a person: see searchOfficers.',
          parameters: {
            companyNumber: {
              type: 'string',
              required: true,
              column: 'company.company_number',
              description: 'Court code, register and number in one word, e.g. K1101R_HRB150148.',
            },
          },
          output: {
            columns: [
              'ordinal',
              'name',
              'position',
              'type',
              'firstname',
              'lastname',
              'title',
              'city',
              'dismissed',
              'start_date',
              'end_date',
            ],
          },
        },
        companiesOfOfficer: {
          sql: `SELECT c.company_number, c.name, c.current_status AS status,
              o.position, o.city, o.dismissed, o.start_date, o.end_date
            FROM officer o JOIN company c ON c.company_number = o.company_id
            WHERE o.lastname = ? AND o.firstname = ? ORDER BY c.name, o.ordinal LIMIT ?`,
          description:
            'Companies for which somebody of exactly this name acted. Use it once you have the spelling of the data, e.g. from searchOfficers; not for guessing: Müller and Mueller are two names here. The city helps to tell people of the same name apart.',
          parameters: {
            lastName: { type: 'string', required: true, description: 'Last name as the data spell it, e.g. Müller.' },
            firstName: { type: 'string', required: true, description: 'First name or names as the data spell them.' },
            limit: { type: 'number', required: false, default: 20, description: 'Most companies to return.' },
          },
          output: {
            columns: ['company_number', 'name', 'status', 'position', 'city', 'dismissed', 'start_date', 'end_date'],
          },
        },
      },
    },
  },
}
