export const main = {
  namespace: 'eufsf',
  name: 'EU financial sanctions',
  description:
    "The consolidated list of the European Union's financial sanctions: people, groups, firms and bodies, with names in many languages, addresses, births, citizenships, documents and the regulations behind them. Only the EU list: those of the UN, the US and the UK have others. A hit is a lead and no verdict, no hit is no clearance.",
  version: '3.0.0',
  docs: [
    'https://data.europa.eu/data/datasets/consolidated-list-of-persons-groups-and-entities-subject-to-eu-financial-sanctions',
  ],
  tags: ['open-data', 'sanctions', 'european-union'],
  root: '',
  tools: {},
  resources: {
    sanctionsDb: {
      source: 'sqlite',
      database: 'eu-fsf.db',
      origin: 'global',
      description:
        "The European Commission's Financial Sanctions Files. Good for whether and by which regulation somebody is listed and under which names; not for other sanctions lists, not for trade or travel sanctions, and not for who was listed once: delisted entities are gone.",
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
            SELECT s.logical_id, s.eu_reference_number, n.name AS matched_name, n.kind, n.strength, n.language, s.name, s.type,
              s.programmes
            FROM name_fts JOIN name n ON n.id = name_fts.rowid JOIN subject s ON s.logical_id = n.subject_id
            WHERE name_fts MATCH (SELECT coalesce(plain, '""') FROM expression)
            ORDER BY name_fts.rank, n.id LIMIT ?`,
          description:
            'Listed people and bodies by words of any of their names, all of which must occur, in any order; accents do not matter. Use it to see whether a name is on the list. Not for spellings you are unsure of (a name that is transcribed otherwise is not found) and never as a verdict: many people share a name.',
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
              'logical_id',
              'eu_reference_number',
              'matched_name',
              'kind',
              'strength',
              'language',
              'name',
              'type',
              'programmes',
            ],
          },
        },
        getSubject: {
          sql: `SELECT * FROM subject WHERE logical_id = ?`,
          description:
            'One listed person or body by its logicalId: name, type, programmes, dates, remarks. Use it with a logical_id from a search; not for addresses, births and documents: the record eufsf://subject/{logical_id} has the whole.',
          parameters: {
            logicalId: {
              type: 'number',
              required: true,
              column: 'subject.logical_id',
              description: 'logicalId of the EU entity, e.g. 13. Not the EU reference number.',
            },
          },
          output: {
            columns: [
              'logical_id',
              'eu_reference_number',
              'name',
              'type',
              'united_nation_id',
              'designation_date',
              'programmes',
              'remarks',
            ],
          },
        },
        getByReference: {
          sql: `SELECT logical_id, eu_reference_number, name, type, united_nation_id, designation_date, programmes
            FROM subject WHERE ? IN (eu_reference_number, united_nation_id) ORDER BY logical_id`,
          description:
            'Listed people and bodies by the reference that documents cite: that of the EU, or that of the UN where the listing follows it. Use it to get from a reference to a logical_id; not for names.',
          parameters: {
            reference: {
              type: 'string',
              required: true,
              description: 'Reference number of the EU, e.g. EU.27.28, or of the UN, e.g. QDi.006.',
            },
          },
          output: {
            columns: [
              'logical_id',
              'eu_reference_number',
              'name',
              'type',
              'united_nation_id',
              'designation_date',
              'programmes',
            ],
          },
        },
        regulationsOfSubject: {
          sql: `SELECT number_title, regulation_type, programme, publication_date, entry_into_force_date, publication_url FROM regulation WHERE subject_id = ? ORDER BY publication_date, logical_id`,
          description:
            'The legal acts by which somebody is listed, oldest first, with links to the Official Journal. Use it to cite the basis of a listing; not for the reasons: those are in the acts themselves.',
          parameters: {
            logicalId: {
              type: 'number',
              required: true,
              column: 'subject.logical_id',
              description: 'logicalId of the EU entity, e.g. 13. Not the EU reference number.',
            },
          },
          output: {
            columns: [
              'number_title',
              'regulation_type',
              'programme',
              'publication_date',
              'entry_into_force_date',
              'publication_url',
            ],
          },
        },
        subjectsOfProgramme: {
          sql: `SELECT DISTINCT s.logical_id, s.eu_reference_number, s.name, s.type, s.designation_date FROM regulation r JOIN subject s ON s.logical_id = r.subject_id WHERE r.programme = upper(?) ORDER BY s.logical_id DESC LIMIT ?`,
          description:
            'Who is listed under one programme, the latest numbers first. Use it to see who is listed for a country or a cause; not for counting all of them: the view entity_program with freeQuery does that.',
          parameters: {
            programme: {
              type: 'string',
              required: true,
              column: 'regulation.programme',
              description: 'The programme’s code: UKR, BLR, TAQA, PRK, SYR, IRN, TERR, HR, …',
            },
            limit: { type: 'number', required: false, default: 50, description: 'Most subjects to return.' },
          },
          output: { columns: ['logical_id', 'eu_reference_number', 'name', 'type', 'designation_date'] },
        },
        findDocument: {
          sql: `SELECT s.logical_id, s.name, s.type, i.type AS document_type, i.number, i.country, i.remark FROM identification i JOIN subject s ON s.logical_id = i.subject_id WHERE i.number LIKE '%' || ? || '%' ORDER BY s.logical_id, i.logical_id LIMIT ?`,
          description:
            'Listed people and bodies by the number of a passport, identity card or register, or a part of it. Use it where you have a number; most have none, so nothing found means nothing.',
          parameters: {
            number: {
              type: 'string',
              required: true,
              description: 'The number or a part of it. Spaces and dashes count: try without them, too.',
            },
            limit: { type: 'number', required: false, default: 20, description: 'Most documents to return.' },
          },
          output: { columns: ['logical_id', 'name', 'type', 'document_type', 'number', 'country', 'remark'] },
        },
      },
    },
  },
}
