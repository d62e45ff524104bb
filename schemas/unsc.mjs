export const main = {
  namespace: 'unsc',
  name: 'UN Security Council sanctions list',
  description:
    'The consolidated list of the UN Security Council: about 730 people and 270 groups and firms under UN sanctions, with their names, addresses, dates and places of birth and documents. Only the UN list: those of the EU, the US and the UK have more. A hit is a lead and no verdict, no hit is no clearance.',
  version: '3.0.0',
  docs: ['https://main.un.org/securitycouncil/en/content/un-sc-consolidated-list'],
  tags: ['open-data', 'sanctions', 'united-nations'],
  root: '',
  tools: {},
  resources: {
    sanctionsDb: {
      source: 'sqlite',
      database: 'un-sc.db',
      origin: 'global',
      description:
        'UN Security Council consolidated list, generated every night. Good for whether and why somebody is on it and under which names; not for other sanctions lists, and not for who was on it once: delisted entries are gone.',
      queries: {
        getSchema: {
          sql: "SELECT sql FROM sqlite_master WHERE type IN ('table', 'view')",
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
            SELECT e.reference_number, n.name AS matched_name, n.kind, n.strength, e.name, e.type, e.un_list_type, e.listed_on
            FROM name_fts JOIN name n ON n.id = name_fts.rowid JOIN entry e ON e.reference_number = n.reference_number
            WHERE name_fts MATCH (SELECT coalesce(plain, '""') FROM expression)
            ORDER BY name_fts.rank, n.id LIMIT ?`,
          description:
            'Entries by words of any of their names, all of which must occur, in any order; accents do not matter. Use it to see whether a name is on the list. Not for spellings you are unsure of (a name that is transcribed otherwise is not found) and never as a verdict: many people share a name. strength is weak for aliases that the UN itself calls low quality.',
          parameters: {
            query: {
              type: 'string',
              required: true,
              description:
                'Plain words of a name, e.g. "al-Zawahiri Aiman". A word that ends in * finds all that begin so: fewer words and a * find more.',
            },
            limit: { type: 'number', required: false, default: 20, description: 'Most names to return.' },
          },
          output: {
            columns: [
              'reference_number',
              'matched_name',
              'kind',
              'strength',
              'name',
              'type',
              'un_list_type',
              'listed_on',
            ],
          },
        },
        getEntry: {
          sql: 'SELECT * FROM entry WHERE reference_number = ?',
          description:
            'One entry by its reference number: names, regime, dates, nationalities, posts, and the comment that says why it is listed. Use it with a reference_number from a search; not for its addresses, aliases and documents: the record unsc://entry/{reference_number} has the whole.',
          parameters: {
            referenceNumber: {
              type: 'string',
              required: true,
              column: 'entry.reference_number',
              description:
                'Permanent reference number as the UN writes it, e.g. QDi.006 (individual) or QDe.004 (entity).',
            },
          },
          output: {
            columns: ['reference_number', 'type', 'name', 'un_list_type', 'listed_on', 'nationalities', 'comments'],
          },
        },
        namesOfEntry: {
          sql: `SELECT ordinal, name, kind, strength, quality, note, date_of_birth FROM name
            WHERE reference_number = ? ORDER BY ordinal`,
          description:
            'All names of one entry: the list’s own, that in the original script, and the aliases, weak ones (strength) marked. Use it to compare a person with an entry; not to search.',
          parameters: {
            referenceNumber: {
              type: 'string',
              required: true,
              column: 'entry.reference_number',
              description: 'Permanent reference number as the UN writes it, e.g. QDi.006.',
            },
          },
          output: { columns: ['ordinal', 'name', 'kind', 'strength', 'quality', 'note', 'date_of_birth'] },
        },
        entriesOfRegime: {
          sql: `SELECT reference_number, name, type, listed_on FROM entry
            WHERE un_list_type = ? COLLATE NOCASE ORDER BY reference_number LIMIT ?`,
          description:
            'The entries of one sanctions regime. Use it to see who is listed for a country or a group; not for counting all of them: SELECT un_list_type, count(*) FROM entry GROUP BY 1 with freeQuery does that.',
          parameters: {
            regime: {
              type: 'string',
              required: true,
              column: 'entry.un_list_type',
              description:
                'As the list writes it: Al-Qaida, Taliban, DPRK, Iran, Iraq, DRC, Libya, Somalia, Haiti, Yemen, …',
            },
            limit: { type: 'number', required: false, default: 50, description: 'Most entries to return.' },
          },
          output: { columns: ['reference_number', 'name', 'type', 'listed_on'] },
        },
        recentlyListed: {
          sql: `SELECT reference_number, name, type, un_list_type, listed_on FROM entry
            ORDER BY listed_on DESC, reference_number LIMIT ?`,
          description:
            'The latest listings, newest first. Use it for who was added lately; not for amendments or delistings: the tool changes tells those between two versions.',
          parameters: {
            limit: { type: 'number', required: false, default: 20, description: 'Most entries to return.' },
          },
          output: { columns: ['reference_number', 'name', 'type', 'un_list_type', 'listed_on'] },
        },
        findDocument: {
          sql: `SELECT e.reference_number, e.name, d.type_of_document, d.type_of_document2, d.number, d.issuing_country, d.note
            FROM document d JOIN entry e ON e.reference_number = d.reference_number
            WHERE d.number LIKE '%' || ? || '%' ORDER BY e.reference_number, d.ordinal LIMIT ?`,
          description:
            'Entries by the number of a passport or identity document, or a part of it. Use it where you have a document; two thirds of the people on the list have none, so nothing found means nothing.',
          parameters: {
            number: {
              type: 'string',
              required: true,
              description: 'The number as printed, or a part of it. Spaces and dashes count: try without them, too.',
            },
            limit: { type: 'number', required: false, default: 20, description: 'Most documents to return.' },
          },
          output: {
            columns: [
              'reference_number',
              'name',
              'type_of_document',
              'type_of_document2',
              'number',
              'issuing_country',
              'note',
            ],
          },
        },
      },
    },
  },
}
