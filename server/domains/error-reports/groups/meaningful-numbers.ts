/** Things of which each has a code of its own: `product code 4711` is an id. */
export const things =
  'product|item|stock|sku|bar|postal|post|zip|country|city|currency|discount|coupon|promo|campaign|tracking|batch|order|customer|merchant|store|shop|seller|warehouse|location|cargo|shipment|reference|ref|verification|confirmation|activation'

/** Words after which a number says what happened: `status: 404`, `"errorCode": 17`, `SQLSTATE[23505]`, `error #1064`. */
const words = [
  String.raw`(?:http[ _-]?)?status(?:[ _-]?code)?`,
  String.raw`(?:http|error|err|result|response|return|reason|fault|failure|exit|vendor)[ _-]?(?:code|no|number)`,
  String.raw`(?<!(?<![\p{L}\d])(?:${things})[ _-])code`,
  // `Error: 3 products failed` counts them.
  String.raw`err(?:or)?(?!: -?\d+ \p{L})`,
  String.raw`http(?:\/\d(?:\.\d)?)?`,
  'sqlstate|sqlcode|errno|hresult|winerror|exit|signal|msg|smtp',
  'hata(?:[ _-]?(?:kodu|no))?',
].join('|')
const sign = String.raw`(?:["']?[ ]?[-:=([#>]{0,2}[ ]?["']?|\.)`
/** `404`, `23505`, `42P01`, `E1001`, `0x80070005`: no longer, as that would be an id, and no part of something else. */
const number = String.raw`(?:0x[\da-fA-F]{1,8}|[A-Z]{0,2}\d{1,5}|\d{2}[A-Z]\d{2})(?![\p{L}\d]|_\d|[.,:/-]\d)`

/** Families of codes whose members are told apart by their numbers: `ORA-00942`. */
const families = 'ORA|TNS|PLS|RMAN|IMP|EXP|SP2|SQL|HTTP|ERR|ERROR|AADSTS|KB|RFC'

/** Names of techniques with a number in them. */
const techniques = [
  String.raw`UTF[-_]?(?:7|8|16|32)|SHA[-_]?(?:1|2|3|224|256|384|512)|MD5|AES[-_]?(?:128|192|256)|[EHPR]S(?:256|384|512)`,
  String.raw`ISO[ _-]?\d{4,5}(?:[-_]\d{1,2})?|CP125\d|IPv[46]|OAuth ?2|TLS ?v?1|X\.?509|Base64|S3|EC2|DB2|(?:Win|U?Int|Float)(?:8|16|32|64)`,
].join('|')

/** What the answers of HTTP are called (RFC 9110); `requests` of Python calls them all Client or Server Error. */
const reasons: Readonly<Record<string, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  407: 'Proxy Authentication Required',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  411: 'Length Required',
  412: 'Precondition Failed',
  413: '(?:Content|Payload|Request Entity) Too Large',
  414: '(?:Request-)?URI Too Long',
  415: 'Unsupported Media Type',
  421: 'Misdirected Request',
  422: 'Unprocessable (?:Content|Entity)',
  423: 'Locked',
  425: 'Too Early',
  426: 'Upgrade Required',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  451: 'Unavailable For Legal Reasons',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service (?:Temporarily )?Unavailable',
  504: 'Gateway Time-?out',
  505: 'HTTP Version Not Supported',
  507: 'Insufficient Storage',
}
const named = Object.entries(reasons).map(([status, reason]) => `${status}(?= ${reason}\\b)`)

/** Numbers that say what happened, and so tell failures apart. All but the last group of each stands before the number. */
const meaningful: readonly RegExp[] = [
  // Not of these words alone: V8 forgets that case is ignored in a group of so many.
  new RegExp(String.raw`((?<![\p{L}\d_])(?:${words})${sign}-?)(${number})`, 'giu'),
  // Joined to the word, and so may it be to others: `last_error_1205`.
  new RegExp(String.raw`((?<![\p{L}\d])(?:${words})_)(${number})`, 'giu'),
  // `<Response [404]>` of Python, `answered 503`, `(1205, 'Lock wait …')` of MySQL, `E1001`.
  /(<Response \[|(?<!\p{L})(?:answered|returned|responded with|got|received)(?: an?)? )([45]\d\d(?![\p{L}\d]|[.,:/-]\d))/giu,
  /((?<![\p{L}\d])\()(\d{3,5}(?=, ?["']))/gu,
  /(?<![\p{L}\d_])()(E\d{3,5}(?![\p{L}\d_]))/gu,
  new RegExp(String.raw`((?<![\p{L}\d_])(?:${families})[-_ ]?)(\d{1,5}(?![\p{L}\d]|_\d|[.,:/]\d))`, 'gu'),
  new RegExp(String.raw`(?<![\p{L}\d_])()(${techniques})(?![\p{L}\d])`, 'giu'),
  new RegExp(String.raw`(?<![\p{L}\d_#-])()(${named.join('|')}|4\d\d(?= Client Error)|5\d\d(?= Server Error))`, 'giu'),
]

/** Ten characters that no text uses, for the digits of what is hidden: of the first 256, beyond which all patterns take twice as long. */
const firstHidden = 0x80

/** Hides the digits of a text from whatever replaces numbers. */
const hide = (text: string): string =>
  text.replaceAll(/\d/gu, (digit) => String.fromCodePoint(firstHidden + Number(digit)))

/** Hides the digits of the numbers that say what happened. */
export const hideMeaningful = (text: string): string =>
  meaningful.reduce(
    (current, pattern) => current.replaceAll(pattern, (_, before: string, found: string) => `${before}${hide(found)}`),
    text,
  )

/** Shows again what was hidden. */
export const showHidden = (text: string): string =>
  text.replaceAll(/[\u0080-\u0089]/gu, (hidden) => String((hidden.codePointAt(0) ?? firstHidden) - firstHidden))
