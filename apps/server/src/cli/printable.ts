// oxlint-disable-next-line no-control-regex -- control characters are what it finds
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
// oxlint-disable-next-line no-control-regex -- line ends and tabs, too
const controlsAndBreaks = /[\u0000-\u001f\u007f-\u009f]/g

/** The picture of a control character; U+FFFD for those that have none. */
const pictureOf = (control: string): string => {
  const code = control.charCodeAt(0)
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? "\u2421" : "\uFFFD"
}

/**
 * Text as a terminal may show it: file names and documents are other people's, and their control characters would move
 * the cursor, colour the screen or name the window. Line ends and tabs stay.
 */
export const printable = (text: string): string => text.replace(controls, pictureOf)

/** A name for one line: line ends and tabs are pictures, too. */
export const printableName = (name: string): string => name.replace(controlsAndBreaks, pictureOf)
