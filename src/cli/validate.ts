/** `stichtag validate`: checks FlowMCP schemas. Exit status 1 where there are errors. */
import { validateSchemaFile } from '../schema/validate.ts'
import { globalRoot, projectRoot } from '../settings.ts'
import { terminal } from './terminal.ts'

export const validate = async (files: readonly string[], flags: { readonly json?: boolean }): Promise<number> => {
  const roots = { globalRoot: globalRoot(), projectRoot: projectRoot() }
  const findings = files.flatMap((file) => validateSchemaFile(file, roots))
  const errors = findings.filter((finding) => finding.severity === 'error').length
  if (flags.json === true) terminal.json(findings)
  else {
    for (const { file, rule, severity, path, message } of findings) {
      terminal.print(`${file}: ${severity} ${rule}${path === '' ? '' : ` at ${path}`}: ${message}`)
    }
    terminal.note(`${files.length} files, ${errors} errors, ${findings.length - errors} warnings`)
  }
  return errors > 0 ? 1 : 0
}
