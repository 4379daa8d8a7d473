export interface Mailbox {
  /** What is shown beside the address; may be empty. */
  readonly name: string
  readonly address: string
}

/** What an address cannot have without quotes (RFC 5322, 3.2.3), and what would end a line of a header. */
const address = /^[^\s\p{Cc}@<>()[\],;:\\"]+@[^\s\p{Cc}@<>()[\],;:\\"]+$/u
/** The longest that fits into the `<…>` of an SMTP command (RFC 5321, 4.5.3.1.3). */
const longestAddress = 254

/** Whether a text is one plain address like `ann@example.com`, which mail can be sent to. */
export const isMailAddress = (text: string): boolean => text.length <= longestAddress && address.test(text)

/** Reads `Name <address>`, `"Name" <address>` or an address alone; undefined when it is none of them. */
export const mailboxOf = (text: string): Mailbox | undefined => {
  const named = /^(?:"([^"<>\p{Cc}]*)"|([^"<>\p{Cc}]*?))\s*<([^<>]*)>$/u.exec(text)
  const mailbox =
    named === null ? { name: '', address: text } : { name: named[1] ?? named[2] ?? '', address: named[3] ?? '' }
  return isMailAddress(mailbox.address) ? mailbox : undefined
}
