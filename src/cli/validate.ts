/** `stichtag validate`: checks FlowMCP schemas. Exit status 1 where there are errors, 3 where a file cannot be read. */
import { statSync } from 'node:fs'
import { asStichtagError, type StichtagError } from '../errors.ts'
import { findSchemaFiles } from '../schema/read.ts'
import { type SchemaCheck, validateSchemaFile } from '../schema/validate.ts'
import { globalRoot, projectRoot } from '../settings.ts'
import { terminal } from './terminal.ts'

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

export const validate = async (paths: readonly string[], flags: { readonly json?: boolean }): Promise<number> => {
  const roots = { globalRoot: globalRoot(), projectRoot: projectRoot() }
  const files = paths.flatMap((path) => (isFolder(path) ? findSchemaFiles(path) : [path]))
  const checks: SchemaCheck[] = []
  let unread: StichtagError | undefined
  for (const file of files) {
    try {
      checks.push(validateSchemaFile(file, roots))
    } catch (thrown) {
      // The findings of the other files are told all the same.
      const error = asStichtagError(thrown)
      if (error.code !== 'FILE_NOT_FOUND') throw error
      unread ??= error
      checks.push(uncheckedOf(file, error))
    }
  }
  const findings = checks.flatMap((check) => check.findings)
  if (flags.json === true) terminal.json(findings)
  else {
    for (const { file, rule, severity, path, message } of findings) {
      terminal.print(`${file}: ${severity} ${rule}${path === '' ? '' : ` at ${path}`}: ${message}`)
    }
    for (const { file, dialect, findings } of checks) {
      const errors = errorsIn(findings)
      const of = dialect === undefined ? 'of no dialect' : `dialect ${dialect}`
      terminal.note(`${file}: ${of}, ${errors} errors, ${findings.length - errors} warnings`)
    }
    if (checks.length === 0) terminal.note('there is no schema (*.mjs) to check')
  }
  if (unread !== undefined) return unread.kind.exit
  return errorsIn(findings) > 0 ? 1 : 0
}

const uncheckedOf = (file: string, { code, message }: StichtagError): SchemaCheck => ({
  file,
  dialect: undefined,
  findings: [{ file, rule: code, severity: 'error', path: '', message }],
})

const errorsIn = (findings: readonly { readonly severity: string }[]): number =>
  findings.filter(({ severity }) => severity === 'error').length
