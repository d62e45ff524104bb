export const main = {
  namespace: 'ofacsdn',
  name: 'OFAC sanctions lists',
  description:
    'The sanctions lists of the US Treasury (OFAC): Specially Designated Nationals and the consolidated list of the other programs, about 16,000 people, firms, vessels and aircraft, with names, addresses, births and identifiers. Only the US lists: those of the EU, the UK and the UN have others. A hit is a lead and no verdict, no hit is no clearance.',
  version: '3.0.0',
  docs: ['https://sanctionslist.ofac.treas.gov/Home'],
  tags: ['open-data', 'sanctions', 'united-states'],
  root: '',
  tools: {},
  resources: {
    sanctionsDb: {
      source: 'sqlite',
      database: 'ofac-sdn.db',
      origin: 'global',
      description:
        "OFAC's SDN list and consolidated list, changed several times a week. Good for whether and why somebody is on them and under which names; not for other sanctions lists, and not for who was on them once: removed entries are gone.",
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
            SELECT s.ent_num, n.name AS matched_name, n.type AS alias_type, n.kind, n.strength, s.sdn_name, s.sdn_type, s.program
            FROM name_fts JOIN name n ON n.id = name_fts.rowid JOIN sdn s ON s.ent_num = n.ent_num
            WHERE name_fts MATCH (SELECT coalesce(plain, '""') FROM expression)
            ORDER BY name_fts.rank, n.id LIMIT ?`,
          description:
            'Entries by words of any of their names, all of which must occur, in any order; accents do not matter. Use it to see whether a name is on the lists. Not for spellings you are unsure of (a name that is transcribed otherwise is not found) and never as a verdict: many people share a name. strength is weak for aliases that OFAC has in the remarks only.',
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
            columns: ['ent_num', 'matched_name', 'alias_type', 'kind', 'strength', 'sdn_name', 'sdn_type', 'program'],
          },
        },
        getEntry: {
          sql: `SELECT * FROM sdn WHERE ent_num = ?`,
          description:
            'One entry by its number: name, type, programs, ship data, whole remarks. Use it with an ent_num from a search; not for its addresses, aliases and identifiers: the record ofacsdn://sdn/{ent_num} has the whole.',
          parameters: {
            entNum: {
              type: 'number',
              required: true,
              column: 'sdn.ent_num',
              description: 'ent_num, the publisher’s number of the entry, e.g. 36.',
            },
          },
          output: { columns: ['ent_num', 'sdn_name', 'sdn_type', 'program', 'title', 'remarks', 'nationalities'] },
        },
        namesOfEntry: {
          sql: `SELECT name, type, kind, strength, origin, note FROM name WHERE ent_num = ? ORDER BY kind DESC, strength, id`,
          description:
            'All names of one entry, weak ones (strength) marked. Use it to compare a person with an entry; not to search.',
          parameters: {
            entNum: {
              type: 'number',
              required: true,
              column: 'sdn.ent_num',
              description: 'ent_num, the publisher’s number of the entry, e.g. 36.',
            },
          },
          output: { columns: ['name', 'type', 'kind', 'strength', 'origin', 'note'] },
        },
        entriesOfProgram: {
          sql: `SELECT s.ent_num, s.sdn_name, s.sdn_type, l.list, l.program FROM listing l JOIN sdn s ON s.ent_num = l.ent_num WHERE l.program LIKE '%' || ? || '%' ORDER BY s.ent_num DESC, l.list LIMIT ?`,
          description:
            'Entries under one sanctions program, the latest numbers first. Use it to see who is listed for a country or a cause; not for counting all of them: the view entity_program with freeQuery does that.',
          parameters: {
            program: {
              type: 'string',
              required: true,
              description: 'The program’s tag or a part of it, e.g. SDGT, IRAN, RUSSIA-EO14024, CUBA.',
            },
            limit: { type: 'number', required: false, default: 50, description: 'Most entries to return.' },
          },
          output: { columns: ['ent_num', 'sdn_name', 'sdn_type', 'list', 'program'] },
        },
        entriesInCountry: {
          sql: `SELECT s.ent_num, s.sdn_name, s.sdn_type, a.address, a.city_state_province, a.country FROM address a JOIN sdn s ON s.ent_num = a.ent_num WHERE a.country = ? COLLATE NOCASE AND coalesce(a.city_state_province, '') LIKE '%' || ? || '%' ORDER BY s.ent_num, a.add_num LIMIT ?`,
          description:
            'Entries with an address in a country, and in a city where one is given. Use it for who is listed at a place; not for nationalities: those are in sdn.nationalities.',
          parameters: {
            country: {
              type: 'string',
              required: true,
              column: 'address.country',
              description: 'Country as the list writes it, in English, e.g. Cuba, Russia, United Arab Emirates.',
            },
            city: {
              type: 'string',
              required: false,
              default: '',
              description: 'A part of city, province or postal code; all without it.',
            },
            limit: { type: 'number', required: false, default: 50, description: 'Most addresses to return.' },
          },
          output: { columns: ['ent_num', 'sdn_name', 'sdn_type', 'address', 'city_state_province', 'country'] },
        },
        findIdentifier: {
          sql: `SELECT s.ent_num, s.sdn_name, s.sdn_type, i.type, i.number, i.country, i.note FROM identifier i JOIN sdn s ON s.ent_num = i.ent_num WHERE i.number LIKE '%' || ? || '%' ORDER BY s.ent_num, i.ordinal LIMIT ?`,
          description:
            'Entries by the number of a passport, tax register, ship (IMO), aircraft or digital currency address, or a part of it. Use it where you have a number; most entries have none, so nothing found means nothing.',
          parameters: {
            number: {
              type: 'string',
              required: true,
              description: 'The number or a part of it. Spaces and dashes count: try without them, too.',
            },
            limit: { type: 'number', required: false, default: 20, description: 'Most identifiers to return.' },
          },
          output: { columns: ['ent_num', 'sdn_name', 'sdn_type', 'type', 'number', 'country', 'note'] },
        },
      },
    },
  },
}
