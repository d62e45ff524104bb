export const main = {
  namespace: 'gleif',
  name: 'GLEIF Legal Entity Identifiers',
  description:
    'The golden copy of GLEIF: about 3.5 million legal entities of the world with their Legal Entity Identifier (LEI), names, addresses, register numbers and status, and the direct and ultimate parents that they reported. No natural persons, no shareholders, no accounts; only entities that have an LEI, mostly those that trade securities.',
  version: '3.0.0',
  docs: ['https://www.gleif.org/en/lei-data/gleif-golden-copy'],
  tags: ['open-data', 'companies', 'lei'],
  root: '',
  tools: {},
  resources: {
    leiDb: {
      source: 'sqlite',
      database: 'gleif.db',
      origin: 'global',
      description:
        'GLEIF golden copy, built anew every day. Good for which entity an LEI is, what the LEI of an entity is, where it is registered under which number, and who consolidates it; not for who owns or runs it, and not for small firms, which mostly have no LEI.',
      queries: {
        getSchema: {
          sql: `SELECT sql FROM sqlite_master WHERE type = 'table'`,
          description: 'The SQL of every table. Use it before writing SQL of your own; not to learn about one entity.',
          parameters: {},
          output: { columns: ['sql'] },
        },
        searchEntities: {
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
            SELECT l.lei, l.legal_name, l.legal_city, l.legal_country, l.entity_status, l.registration_status
            FROM lei_fts JOIN lei l ON l.rowid = lei_fts.rowid
            WHERE lei_fts MATCH (SELECT coalesce(plain, '""') FROM expression)
            ORDER BY lei_fts.rank, l.lei LIMIT ?`,
          description:
            'Entities by words of their present legal name, all of which must occur, in any order; accents do not matter, and ü is found by ue. Use it to get from a name to an LEI. Not for former, trading and transliterated names: see searchOtherNames. Legal forms (GmbH, Ltd) are written in many ways: leave them out.',
          parameters: {
            query: {
              type: 'string',
              required: true,
              description:
                'Plain words of the name in its own script, e.g. "hyatt hotels". A word that ends in * finds all that begin so.',
            },
            limit: { type: 'number', required: false, default: 20, description: 'Most entities to return.' },
          },
          output: {
            columns: ['lei', 'legal_name', 'legal_city', 'legal_country', 'entity_status', 'registration_status'],
          },
        },
        searchOtherNames: {
          sql: `WITH RECURSIVE words AS (
              SELECT '' AS word, trim(?) || ' ' AS rest
              UNION ALL
              SELECT substr(rest, 1, instr(rest, ' ') - 1), ltrim(substr(rest, instr(rest, ' ') + 1)) FROM words WHERE rest <> ''
            ),
            expression AS (
              SELECT group_concat(printf('"%w"', rtrim(word, '*')) || CASE WHEN word LIKE '%*' THEN '*' ELSE '' END, ' ') AS plain
              FROM words WHERE word <> ''
            )
            SELECT l.lei, n.name AS matched_name, n.type, n.language, l.legal_name, l.legal_country, l.entity_status
            FROM other_name_fts JOIN other_name n ON n.id = other_name_fts.rowid JOIN lei l ON l.lei = n.lei
            WHERE other_name_fts MATCH (SELECT coalesce(plain, '""') FROM expression)
            ORDER BY other_name_fts.rank, n.id LIMIT ?`,
          description:
            'Entities by words of a former legal name, a trading name, a name in another language or a transliteration. Use it where searchEntities finds nothing; type says which kind of name was found.',
          parameters: {
            query: {
              type: 'string',
              required: true,
              description:
                'Plain words of the name, e.g. "aegis group". A word that ends in * finds all that begin so.',
            },
            limit: { type: 'number', required: false, default: 20, description: 'Most names to return.' },
          },
          output: {
            columns: ['lei', 'matched_name', 'type', 'language', 'legal_name', 'legal_country', 'entity_status'],
          },
        },
        getEntity: {
          sql: `SELECT * FROM lei WHERE lei = upper(trim(?))`,
          description:
            'One entity by its LEI: legal name, addresses, register number, legal form, status, dates. Use it with an LEI that you have; not for its parents and other names: the record gleif://lei/{lei} has the whole.',
          parameters: {
            lei: { type: 'string', required: true, column: 'lei.lei', description: 'The LEI: 20 letters and digits.' },
          },
          output: {
            columns: [
              'lei',
              'legal_name',
              'legal_city',
              'legal_country',
              'jurisdiction',
              'category',
              'entity_status',
              'registration_status',
            ],
          },
        },
        findByRegisterNumber: {
          sql: `SELECT lei, legal_name, registration_authority_id, registration_authority_entity_id, legal_country, entity_status
            FROM lei WHERE registration_authority_entity_id = trim(?) AND coalesce(legal_country, '') LIKE ? || '%'
            ORDER BY lei LIMIT ?`,
          description:
            'Entities by their number in a business register. Use it to get from a company number to an LEI. The same number occurs in many registers: give the country, and compare registration_authority_id. German numbers stand as HRB 12345, British ones with their zeros.',
          parameters: {
            number: {
              type: 'string',
              required: true,
              description: 'The number exactly as the register writes it, e.g. 01234567 or HRB 12345.',
            },
            country: {
              type: 'string',
              required: false,
              default: '',
              description: 'Country of the legal address, two letters such as DE; all without it.',
            },
            limit: { type: 'number', required: false, default: 20, description: 'Most entities to return.' },
          },
          output: {
            columns: [
              'lei',
              'legal_name',
              'registration_authority_id',
              'registration_authority_entity_id',
              'legal_country',
              'entity_status',
            ],
          },
        },
        parentsOf: {
          sql: `WITH asked AS (SELECT upper(trim(?)) AS lei)
            SELECT r.type, r.end_lei AS lei, p.legal_name, p.legal_country,
              r.status, r.relationship_start, r.relationship_end, NULL AS reasons
            FROM asked JOIN relationship r ON r.start_lei = asked.lei LEFT JOIN lei p ON p.lei = r.end_lei
            UNION ALL
            SELECT e.category, NULL, NULL, NULL, NULL, NULL, NULL, e.reasons
            FROM asked JOIN exception e ON e.lei = asked.lei
            ORDER BY 1, 2`,
          description:
            'Who an entity belongs to: its direct and ultimate accounting parent, head office, or the manager and umbrella of a fund, each with its lei and name; and where it names no parent, the reasons it gave. Use it for the way up; not for shareholders, and not for the way down: see childrenOf.',
          parameters: {
            lei: {
              type: 'string',
              required: true,
              column: 'lei.lei',
              description: 'The LEI of the child: 20 letters and digits.',
            },
          },
          output: {
            columns: [
              'type',
              'lei',
              'legal_name',
              'legal_country',
              'status',
              'relationship_start',
              'relationship_end',
              'reasons',
            ],
          },
        },
        childrenOf: {
          sql: `SELECT r.start_lei AS lei, c.legal_name, c.legal_country, c.entity_status,
              r.type, r.status, r.relationship_start
            FROM relationship r LEFT JOIN lei c ON c.lei = r.start_lei
            WHERE r.end_lei = upper(trim(?)) AND r.type LIKE '%' || ? || '%' ORDER BY r.type, r.start_lei LIMIT ?`,
          description:
            'Entities that belong to one: those it consolidates, its branches, the funds it manages. Use it for the way down, one level with type DIRECTLY, all levels with ULTIMATELY. A manager of funds has thousands: the result says where it is cut.',
          parameters: {
            lei: {
              type: 'string',
              required: true,
              column: 'lei.lei',
              description: 'The LEI of the parent: 20 letters and digits.',
            },
            type: {
              type: 'string',
              required: false,
              default: '',
              description: 'A part of the kind of relationship: DIRECTLY, ULTIMATELY, FUND, BRANCH; all without it.',
            },
            limit: { type: 'number', required: false, default: 50, description: 'Most entities to return.' },
          },
          output: {
            columns: ['lei', 'legal_name', 'legal_country', 'entity_status', 'type', 'status', 'relationship_start'],
          },
        },
      },
    },
  },
}
