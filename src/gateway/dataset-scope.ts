/** Scopes of OAuth that are for one dataset each, by a pattern with `{dataset}` in place of the dataset's id: `data:{dataset}`. */

const place = '{dataset}'

/** Whether a text says which scope a dataset needs: what RFC 6749 §3.3 lets a scope be, with one place for the dataset. */
export const isDatasetScope = (text: string): boolean =>
  text.split(place).length === 2 && /^[\x21\x23-\x5B\x5D-\x7E]+$/.test(text)

/** What a dataset's id looks like (DESIGN §1). */
const isDatasetId = (text: string): boolean => /^[a-z][a-z0-9-]*$/.test(text)

/**
 * The datasets that scopes are for, by the pattern of their scopes; undefined where they are for all. `plain` is a scope
 * that says something else, even where it fits the pattern: `data:read` is not for a dataset `read`.
 */
export const datasetsIn = (
  scopes: readonly unknown[],
  pattern: string,
  plain?: string,
): readonly string[] | undefined => {
  const [before = '', after = ''] = pattern.split(place)
  const named = scopes.flatMap((scope) =>
    typeof scope === 'string' &&
    scope !== plain &&
    scope.length > before.length + after.length &&
    scope.startsWith(before) &&
    scope.endsWith(after)
      ? [scope.slice(before.length, scope.length - after.length)]
      : [],
  )
  return named.includes('*') ? undefined : [...new Set(named.filter(isDatasetId))]
}

/** The scope for a dataset. */
export const scopeOf = (dataset: string, pattern: string): string => pattern.replace(place, dataset)
