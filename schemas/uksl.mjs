export const main = {
  namespace: 'uksl',
  name: 'UK Sanctions List',
  description:
    'The UK Sanctions List: about 6,300 people, groups, firms and ships under sanctions of the United Kingdom, with names, addresses, births, identifiers and the reasons given. Only the UK list: those of the EU, the US and the UN have others. A hit is a lead and no verdict, no hit is no clearance.',
  version: '3.0.0',
  docs: ['https://www.gov.uk/government/publications/the-uk-sanctions-list'],
  tags: ['open-data', 'sanctions', 'united-kingdom'],
  root: '',
  tools: {},
  resources: {
    sanctionsDb: {
      source: 'sqlite',
      database: 'uk-sanctions.db',
      origin: 'global',
      description:
        'UK Sanctions List of the Foreign, Commonwealth & Development Office, published whenever a designation changes. Good for whether and why somebody is on it and under which names; not for other sanctions lists, and not for who was on it once: revoked designations are gone.',
      queries: {
        getSchema: {
          sql: `SELECT sql FROM sqlite_master WHERE type IN ('table', 'view')`,
          description:
            'The SQL of every table and view. Use it before writing SQL of your own; not to look anybody up. The views entity, entity_name, entity_address, entity_birth, entity_identifier and entity_program have the same columns in every sanctions list.',
          parameters: {},
          output: { columns: ['sql'] },
        },
        searchNames: {
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
            SELECT d.unique_id, n.name AS matched_name, n.name_type, n.kind, n.strength, d.name, d.designation_type,
              d.regime_name, d.date_designated
            FROM name_fts JOIN name n ON n.id = name_fts.rowid JOIN designation d ON d.unique_id = n.unique_id
            WHERE name_fts MATCH (SELECT coalesce(plain, '""') FROM expression)
            ORDER BY name_fts.rank, n.id LIMIT ?`,
          description:
            'Designations by words of any of their names, all of which must occur, in any order; accents do not matter. Use it to see whether a name is on the list. Not for spellings you are unsure of (a name that is transcribed otherwise is not found) and never as a verdict: many people share a name.',
          parameters: {
            query: {
              type: 'string',
              required: true,
              description:
                'Plain words of a name, in any order. A word that ends in * finds all that begin so: fewer words and a * find more.',
            },
            limit: { type: 'number', required: false, default: 20, description: 'Most names to return.' },
          },
          output: {
            columns: [
              'unique_id',
              'matched_name',
              'name_type',
              'kind',
              'strength',
              'name',
              'designation_type',
              'regime_name',
              'date_designated',
            ],
          },
        },
        getDesignation: {
          sql: `SELECT * FROM designation WHERE unique_id = ?`,
          description:
            'One designation by its Unique ID: name, regime, sanctions imposed, dates, statement of reasons. Use it with a unique_id from a search; not for its addresses, births and identifiers: the record uksl://designation/{unique_id} has the whole.',
          parameters: {
            uniqueId: {
              type: 'string',
              required: true,
              column: 'designation.unique_id',
              description: 'Unique ID as the list writes it, e.g. RUS0251 or AFG0001.',
            },
          },
          output: {
            columns: [
              'unique_id',
              'name',
              'designation_type',
              'regime_name',
              'sanctions_imposed',
              'date_designated',
              'statement_of_reasons',
            ],
          },
        },
        namesOfDesignation: {
          sql: `SELECT name, name_type, kind, strength, title, language FROM name WHERE unique_id = ? ORDER BY kind DESC, name`,
          description:
            'All names of one designation, weak ones (strength) marked. Use it to compare a person with a designation; not to search.',
          parameters: {
            uniqueId: {
              type: 'string',
              required: true,
              column: 'designation.unique_id',
              description: 'Unique ID as the list writes it, e.g. RUS0251 or AFG0001.',
            },
          },
          output: { columns: ['name', 'name_type', 'kind', 'strength', 'title', 'language'] },
        },
        designationsOfRegime: {
          sql: `SELECT unique_id, name, designation_type, date_designated FROM designation WHERE regime_name LIKE '%' || ? || '%' ORDER BY date_designated DESC, unique_id LIMIT ?`,
          description:
            'Designations under one regime, the latest first. Use it to see who is listed for a country or a cause; not for counting all of them: SELECT regime_name, count(*) FROM designation GROUP BY 1 with freeQuery does that.',
          parameters: {
            regime: {
              type: 'string',
              required: true,
              description:
                'A part of the name of the regulations, e.g. Russia, Belarus, Global Human Rights, Counter-Terrorism.',
            },
            limit: { type: 'number', required: false, default: 50, description: 'Most designations to return.' },
          },
          output: { columns: ['unique_id', 'name', 'designation_type', 'date_designated'] },
        },
        recentlyDesignated: {
          sql: `SELECT unique_id, name, designation_type, regime_name, date_designated FROM designation ORDER BY date_designated DESC, unique_id LIMIT ?`,
          description:
            'The latest designations, newest first. Use it for who was added lately; not for amendments or revocations: the tool changes tells those between two versions.',
          parameters: {
            limit: { type: 'number', required: false, default: 20, description: 'Most designations to return.' },
          },
          output: { columns: ['unique_id', 'name', 'designation_type', 'regime_name', 'date_designated'] },
        },
        findIdentifier: {
          sql: `SELECT d.unique_id, d.name, d.designation_type, i.type, i.number, i.note FROM identifier i JOIN designation d ON d.unique_id = i.unique_id WHERE i.number LIKE '%' || ? || '%' ORDER BY d.unique_id, i.type, i.number LIMIT ?`,
          description:
            'Designations by the number of a passport, identity card, firm or ship (IMO), or a part of it. Use it where you have a number; most designations have none, so nothing found means nothing.',
          parameters: {
            number: {
              type: 'string',
              required: true,
              description: 'The number or a part of it, e.g. 9826902. Spaces and dashes count: try without them, too.',
            },
            limit: { type: 'number', required: false, default: 20, description: 'Most identifiers to return.' },
          },
          output: { columns: ['unique_id', 'name', 'designation_type', 'type', 'number', 'note'] },
        },
      },
    },
  },
}
