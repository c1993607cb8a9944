const absolutePath =
  /(?<![\w:/\\.~-])(?:[A-Za-z]:[\\/]|[\\/])(?:[^\s"'`<>|:,;()\\/]+[\\/])+([^\s"'`<>|:,;()\\/]*)/g

/**
 * Cuts absolute file paths in a message down to their last part, so that a client does not learn how the server's disk
 * is laid out. Addresses (`http://host/path`) and relative paths stay as they are.
 */
export const redactPaths = (message: string): string => message.replace(absolutePath, "…/$1")
