/** `stichtag validate`: checks FlowMCP schemas. Exit status 1 where there are errors. */
import { validateSchemaFile } from '../schema/validate.ts'
import { globalRoot, projectRoot } from '../settings.ts'
import { terminal } from './terminal.ts'

export const validate = async (files: readonly string[], flags: { readonly json?: boolean }): Promise<number> => {
  const roots = { globalRoot: globalRoot(), projectRoot: projectRoot() }
  const checks = files.map((file) => validateSchemaFile(file, roots))
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
  }
  return errorsIn(findings) > 0 ? 1 : 0
}

const errorsIn = (findings: readonly { readonly severity: string }[]): number =>
  findings.filter(({ severity }) => severity === 'error').length
