/** docs/flowmcp.md says what is so: every rule and dialect is there, and the schema it shows is one. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/package-root.ts'
import { allowedTableFunctions } from '../../src/query/statement.ts'
import { ruleTexts } from '../../src/schema/rules.ts'
import { validateSchema } from '../../src/schema/validate.ts'
import { examples } from './examples.ts'

const page = readFileSync(join(packageRoot, 'docs', 'flowmcp.md'), 'utf8')
const firstCells = [...page.matchAll(/^\| ([^|]+?) *\|/gm)].map(([, cell = '']) => cell)

describe('the page about FlowMCP', () => {
  it('lists every rule, and none that there is not', () => {
    expect(firstCells.filter((cell) => /\bRES\d{3}$/.test(cell)).sort()).toEqual(Object.keys(ruleTexts).sort())
  })

  it('lists every dialect', () => {
    expect(examples.map(({ dialect }) => dialect).filter((dialect) => !firstCells.includes(dialect))).toEqual([])
  })

  it('names every table-valued function of SQLite that a statement may use', () => {
    const pragmas = [...allowedTableFunctions].filter((name) => name.startsWith('pragma_'))
    expect(pragmas.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
  })

  it('shows a schema without a finding', () => {
    const [, text = ''] = /^```js\n(.*?)^```$/ms.exec(page) ?? []
    const roots = { globalRoot: '/global', projectRoot: '/here/.flowmcp', exists: () => true }
    expect(validateSchema(text, 'wells.mjs', roots)).toEqual({ file: 'wells.mjs', dialect: 'D-docs', findings: [] })
  })
})
