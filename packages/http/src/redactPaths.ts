const absolutePath =
  /(?<![\w:/\\.~-])(?:[A-Za-z]:[\\/]|[\\/])(?:[^\s"'`<>|:,;()\\/]+[\\/])+([^\s"'`<>|:,;()\\/]*)/g

/**
 * Shortens absolute file paths in a message to their last part, so that clients do not learn the structure of the
 * server's disk. Addresses (`http://host/path`) and relative paths stay as they are.
 */
export const redactPaths = (message: string): string => message.replace(absolutePath, "…/$1")
