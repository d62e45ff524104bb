export const main = {
  namespace: 'opensanctions',
  name: 'OpenSanctions consolidated sanctions',
  description:
    'The sanctions lists of the world, merged by OpenSanctions: people, firms, vessels, wallets and others with their names, addresses, births, numbers, designations, owners and relatives. Licence CC BY-NC 4.0: not for business use without a licence of OpenSanctions. A hit is a lead and no verdict, no hit is no clearance.',
  version: '3.0.0',
  docs: ['https://www.opensanctions.org/datasets/sanctions/', 'https://www.opensanctions.org/licensing/'],
  tags: ['open-data', 'sanctions', 'non-commercial'],
  root: '',
  tools: {},
  resources: {
    sanctionsDb: {
      source: 'sqlite',
      database: 'opensanctions.db',
      origin: 'global',
      description:
        'OpenSanctions’ sanctions collection (CC BY-NC 4.0, non-commercial), exported several times a day. Good for whether somebody is on any list, on which, and whom they own or are related to; not for the exact wording of one list: ask that list itself.',
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
            SELECT e.id, n.name AS matched_name, n.kind, n.strength, e.caption, e.schema, e.target, e.topics, e.datasets
            FROM name_fts JOIN name n ON n.id = name_fts.rowid JOIN ftm_entity e ON e.id = n.entity_id
            WHERE name_fts MATCH (SELECT coalesce(plain, '""') FROM expression)
            ORDER BY name_fts.rank, n.id LIMIT ?`,
          description:
            'Entities by words of any of their names, all of which must occur, in any order; accents do not matter. Use it to see whether a name is on any list. target is 0 for those that are only there for a listed one (owners, relatives). Not for spellings you are unsure of, and never as a verdict: many people share a name. Data CC BY-NC 4.0.',
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
            columns: ['id', 'matched_name', 'kind', 'strength', 'caption', 'schema', 'target', 'topics', 'datasets'],
          },
        },
        getEntity: {
          sql: 'SELECT * FROM ftm_entity WHERE id = ?',
          description:
            'One entity by its id, with all its properties as the source has them. Use it with an id from a search; not for its designations and relations: the record opensanctions://ftm_entity/{id} has the whole. An id that was merged into another one is found by findReferent.',
          parameters: {
            id: {
              type: 'string',
              required: true,
              column: 'ftm_entity.id',
              description: 'Id of the entity, e.g. NK-… or Q…',
            },
          },
          output: { columns: ['id', 'schema', 'caption', 'target', 'topics', 'datasets', 'properties'] },
        },
        findReferent: {
          sql: `SELECT e.id, e.caption, e.schema, e.target, e.datasets FROM ftm_entity e
            WHERE EXISTS (SELECT 1 FROM json_each(e.referents) r WHERE r.value = ?) ORDER BY e.id`,
          description:
            'The entity that an id of a source list was merged into. Use it with ids such as ofac-28033, or one that getEntity does not find any more; not with names.',
          parameters: {
            id: { type: 'string', required: true, description: 'Id in a source list, or a former id of an entity.' },
          },
          output: { columns: ['id', 'caption', 'schema', 'target', 'datasets'] },
        },
        sanctionsOfEntity: {
          sql: `SELECT sanction_id, program, program_id, authority, country, listing_date, start_date, end_date, status, reason, source_url
            FROM sanction WHERE entity_id = ? ORDER BY coalesce(listing_date, start_date), sanction_id`,
          description:
            'The designations of one entity: by whom, under which programme, since when and why. Use it to see on which lists somebody is; not to search. One with an end_date is over.',
          parameters: {
            id: {
              type: 'string',
              required: true,
              column: 'ftm_entity.id',
              description: 'Id of the entity, e.g. NK-… or Q…',
            },
          },
          output: {
            columns: [
              'sanction_id',
              'program',
              'program_id',
              'authority',
              'country',
              'listing_date',
              'start_date',
              'end_date',
              'status',
              'reason',
              'source_url',
            ],
          },
        },
        relationsOfEntity: {
          sql: `SELECT link.schema AS relation, own.property AS role, other.property AS other_role, other.target_id AS id,
              e.caption, e.schema, e.target
            FROM reference own JOIN ftm_entity link ON link.id = own.entity_id
              JOIN reference other ON other.entity_id = own.entity_id AND other.target_id <> own.target_id
              LEFT JOIN ftm_entity e ON e.id = other.target_id
            WHERE own.target_id = ? AND own.property <> 'addressEntity' ORDER BY relation, other.target_id LIMIT ?`,
          description:
            'Whom an entity is tied to: what it owns, who owns it, relatives, directors, members. id, caption, schema and target are the other one’s. Use it to see whom a listed one controls; not for its documents and addresses: those are in its record.',
          parameters: {
            id: {
              type: 'string',
              required: true,
              column: 'ftm_entity.id',
              description: 'Id of the entity, e.g. NK-… or Q…',
            },
            limit: { type: 'number', required: false, default: 50, description: 'Most relations to return.' },
          },
          output: {
            columns: ['relation', 'role', 'other_role', 'id', 'caption', 'schema', 'target'],
          },
        },
        findIdentifier: {
          sql: `SELECT e.id, e.caption, e.schema, e.target, i.type, i.number, i.country
            FROM identifier i JOIN ftm_entity e ON e.id = i.entity_id
            WHERE i.number LIKE '%' || ? || '%' ORDER BY e.id, i.type, i.number LIMIT ?`,
          description:
            'Entities by the number of a passport, company, tax payer, ship (IMO) or wallet, or a part of it. Use it where you have a number; most entities have none, so nothing found means nothing.',
          parameters: {
            number: {
              type: 'string',
              required: true,
              description: 'The number or a part of it. Spaces and dashes count: try without them, too.',
            },
            limit: { type: 'number', required: false, default: 20, description: 'Most identifiers to return.' },
          },
          output: { columns: ['id', 'caption', 'schema', 'target', 'type', 'number', 'country'] },
        },
      },
    },
  },
}
