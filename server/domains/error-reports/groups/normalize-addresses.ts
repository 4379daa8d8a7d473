import { replaceChanging, type Changing } from './changing.ts'

const group = String.raw`[\da-f]{1,4}`
const ipv4 = String.raw`\d{1,3}(?:\.\d{1,3}){3}`
const groups = `${group}(?::${group}){0,6}`

/** Of a network: MAC, also of a certificate, and IPv6. They say nothing else, whatever stands before them. */
export const networkAddresses: readonly Changing[] = [
  [
    // One without any digit is a name: `Face::Add`.
    new RegExp(
      String.raw`(?<![\p{L}\d_]|::)(?=[a-f:]{0,40}\d)(?:${groups})?::(?:(?:${group}:){0,5}${ipv4}|${groups})?(?:%[a-z\d]{1,16})?(?![\p{L}\d_]|::)`,
      'giu',
    ),
    /::/u,
  ],
  [
    new RegExp(
      String.raw`(?<![\p{L}\d_]|::|(?<![\p{L}\d])[\da-f]{2}:)(?:${group}:){6}(?:${ipv4}|${group}:${group})(?:%[a-z\d]{1,16})?(?![\p{L}\d_]|::|:[\da-f]{2}(?![\p{L}\d]))`,
      'giu',
    ),
    new RegExp(`(?:${group}:){5}`, 'iu'),
  ],
  // After IPv6, the beginning of which may look like one.
  [
    /(?<![\p{L}\d_])[\da-f]{2}(?:(?::[\da-f]{2}){5,63}|(?:-[\da-f]{2}){5,63})(?![\p{L}\d_])/giu,
    /[\da-f]{2}([:-])[\da-f]{2}\1[\da-f]{2}\1/iu,
  ],
  [/(?<![\p{L}\d_.])(?=[a-f.]{0,12}\d)[\da-f]{4}\.[\da-f]{4}\.[\da-f]{4}(?![\p{L}\d_.])/giu],
]

/** Where a name ends that can be no other than that of a host. */
const sureDomain = 'com|org|io|local|internal|lan'
/** Where one does that has at least three parts. */
const domain = [
  `${sureDomain}|net|info|biz|dev|app|cloud|shop|store|site|online|intra|corp|localdomain|svc|example|test|invalid`,
  'eu|tr|de|uk|us|fr|nl|it|es|pl|ch|be|ru|az|cy|gr|bg|ro',
].join('|')
/** The digits of numbers that say what happened are hidden (meaningful-numbers.ts). */
const inLabel = String.raw`[\p{L}\d\u0080-\u0089_-]`
const nameEnds = String.raw`(?![\p{L}\d_]|\.\p{L})`

const hostNames: Changing = [
  new RegExp(
    String.raw`(?<!${inLabel})(?:(?:${inLabel}{1,63}\.){2,8}(?:${domain})|${inLabel}{1,63}\.(?:${sureDomain}))${nameEnds}`,
    'giu',
  ),
  new RegExp(String.raw`\.(?:${domain})${nameEnds}`, 'iu'),
]

/** A text without the numbers in names of hosts. What else a name says stays. */
export const withoutHostNumbers = (text: string): string =>
  replaceChanging(
    replaceChanging(text, [/(?<=:\/\/[\p{L}\d\u0080-\u0089.@:_-]{0,100})\d+/gu, /:\/\//u]),
    hostNames,
    (name) => name.replaceAll(/\d+/gu, '#'),
  )
