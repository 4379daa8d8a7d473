/**
 * `Content-Disposition` of a file to be saved under a name (RFC 6266). A name that ASCII does not hold is there twice: as it is
 * (RFC 8187), and for what does not read that, with `_` in place of each character that does not fit.
 */
export const attachment = (name: string): string => {
  const plain = name.replaceAll(/[^ !#-[\]-~]/gu, '_')
  const quoted = `attachment; filename="${plain}"`
  return plain === name ? quoted : `${quoted}; filename*=UTF-8''${encoded(name)}`
}

const encoded = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
