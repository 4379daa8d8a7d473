import { finderOf, inner, whereThereIs, type Finder } from './replacements.ts'

/**
 * Keys that say themselves whose they are, with as many random characters behind as tell them from a word; and a piece of
 * each that is looked for first.
 */
const keys: readonly (readonly [pattern: string, beginnings: readonly string[]])[] = [
  [String.raw`wb[lkr]_[\w-]{16,}`, ['wbl_', 'wbk_', 'wbr_']],
  [String.raw`whs(?:ec|k)_[\w+/-]{16,}={0,2}`, ['whsec_', 'whsk_']],
  [String.raw`[srp]k_(?:live|test)_[A-Za-z\d]{16,}`, ['k_live_', 'k_test_']],
  [String.raw`sk-(?:proj|ant|svcacct|admin|or)-[\w-]{16,}`, ['sk-']],
  [String.raw`sk-[A-Za-z\d]{32,}`, ['sk-']],
  [String.raw`gh[pousr]_[A-Za-z\d]{16,}`, ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_']],
  [String.raw`github_pat_\w{16,}`, ['github_pat_']],
  [String.raw`gl(?:pat|ptt|dt|rt)-[\w-]{16,}`, ['glpat-', 'glptt-', 'gldt-', 'glrt-']],
  [String.raw`xox[abceoprs]-[\w-]{16,}`, ['xox']],
  [String.raw`xapp-\d-[\w-]{16,}`, ['xapp-']],
  [String.raw`A[KS]IA[A-Z\d]{16,}`, ['AKIA', 'ASIA']],
  [String.raw`AIza[\w-]{30,}`, ['AIza']],
  [String.raw`ya29\.[\w-]{20,}`, ['ya29.']],
  [String.raw`GOCSPX-[\w-]{20,}`, ['GOCSPX-']],
  [String.raw`npm_[A-Za-z\d]{30,}`, ['npm_']],
  [String.raw`SG\.[\w-]{16,}\.[\w-]{16,}`, ['SG.']],
  [String.raw`shp(?:at|ss|ca|pa)_[\w-]{16,}`, ['shpat_', 'shpss_', 'shpca_', 'shppa_']],
  [String.raw`c[ks]_[\da-f]{40,}`, ['ck_', 'cs_']],
  [String.raw`hf_[A-Za-z\d]{30,}`, ['hf_']],
  [String.raw`\d{8,10}:AA[\w-]{33,}`, [':AA']],
]

/** Before a key: no letter or digit, unless it is the end of an escape, as in `\n` and `%22`. */
const border = String.raw`(?<=^|[^A-Za-z\d]|\\[nrt]|%[\dA-Fa-f]{2})`

/** To the end of the word, so that what is left does not begin a key itself. */
const known = new RegExp(`${border}(?:${keys.map(([pattern]) => pattern).join('|')})[\\w-]*`, 'gu')

const slash = String.raw`(?:\\*\/|%2F)`
const pathEnd = String.raw`(?:[\w.-]|${slash}(?=[\w-]))+`

/** Addresses that whoever knows them may send to: everything behind these is the key. */
const webhooks = [
  ['hooks', 'slack', String.raw`com${slash}(?:services|workflows|triggers)`],
  ['discord(?:app)?', String.raw`com${slash}api${slash}webhooks`],
  ['webhook', 'office', String.raw`com${slash}webhookb2`],
]
const capability = new RegExp(
  `((?:${webhooks.map((parts) => parts.join(String.raw`\.`)).join('|')})${slash})${pathEnd}`,
  'giu',
)
/** Telegram: `/bot<number>:<token>/sendMessage`. The look behind keeps long runs of backslashes cheap. */
const bot = new RegExp(String.raw`((?<!\\)${slash}bot)\d{4,16}(?::|%3A)[\w-]{16,}`, 'giu')

export const keyFinders: readonly Finder[] = [
  finderOf(capability, (match) => inner(match, match[1]?.length)),
  finderOf(bot, (match) => inner(match, match[1]?.length)),
  whereThereIs(
    keys.flatMap(([, beginnings]) => beginnings),
    finderOf(known, (match) => inner(match)),
  ),
]
