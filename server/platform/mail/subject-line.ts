/**
 * A text as the subject of a message. What would begin another line, which is another header, is a space; characters that are not
 * seen are left out, because they can turn around what stands beside them. Only the one that joins emoji stays.
 */
export const subjectLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(
      /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])(\u200D)(?=\p{Extended_Pictographic})|\p{Cf}/gu,
      '$1',
    )
    .trim()
