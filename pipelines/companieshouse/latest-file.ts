/** Finds the newest file on the publisher's download page. Pure. */

const fileName = /BasicCompanyDataAsOneFile-(\d{4}-\d{2}-\d{2})\.zip/g

/** The address of the newest file that a page names; the file is dated the first of its month, mostly. */
export const latestFile = (page: string, pageUrl: string): string => {
  const newest = [...page.matchAll(fileName)].sort(([, left = ''], [, right = '']) => left.localeCompare(right)).at(-1)
  if (newest === undefined) throw new Error(`${pageUrl} names no BasicCompanyDataAsOneFile`)
  return new URL(newest[0], pageUrl).href
}
