/**
 * Addresses of repositories: only transports that cannot run a command and, unless configured, cannot read this
 * machine's disk.
 */
const hostPath = /^[A-Za-z0-9_][A-Za-z0-9._-]*@[A-Za-z0-9_][A-Za-z0-9._-]*:(?![/:])[^\s:][^\s]*$/
// oxlint-disable-next-line no-control-regex -- control characters are what it finds
const unprintable = /[\s\u0000-\u001f\u007f]/

/**
 * Why it is not allowed to fetch from a URL; undefined when it is allowed. Allowed are `https://`, `ssh://`,
 * `user@host:path` and, with `allowLocal`, `file://`. A user name or password in an https URL is refused, because it
 * would get into logs and into the index; use git's credential helpers.
 */
export const urlFault = (url: string, allowLocal: boolean): string | undefined => {
  if (unprintable.test(url)) return "holds a space or a control character"
  if (hostPath.test(url)) return undefined
  const parsed = URL.parse(url)
  const allowed = `allowed are https://, ssh://, user@host:path${allowLocal ? ", file://" : ""}`
  if (parsed === null || !/^[a-z]+:\/\//.test(url)) return `is not a URL to fetch from; ${allowed}`
  if (parsed.password !== "") return "holds a password; leave it to git's credential helpers or an SSH key"
  if (parsed.search !== "" || parsed.hash !== "")
    return "holds a query or a fragment, which may contain a login and is not part of an address; leave it out"
  switch (parsed.protocol) {
    case "https:":
      if (parsed.username !== "")
        return "holds a user name or token; leave it to git's credential helpers (git help credentials)"
      return undefined
    case "ssh:":
      return parsed.hostname.startsWith("-") || parsed.username.startsWith("-")
        ? "has a host or user that looks like an option"
        : undefined
    case "file:":
      if (allowLocal && parsed.host === "") return undefined
      return allowLocal ? "names a host; write file:///folder" : "is local; set allowLocal to fetch from it"
    default:
      return `has the transport ${parsed.protocol}//; ${allowed}`
  }
}

/**
 * Why a text is not a branch, tag or commit id that can be fetched; undefined when it is one (mostly git's own rules
 * for names).
 */
export const refFault = (ref: string): string | undefined =>
  /^[-+/]|[~^:?*[\\]|\.\.|@\{|\/\/|\.lock$|[./]$/.test(ref) || unprintable.test(ref)
    ? "is not the name of a branch or tag, nor a commit id"
    : undefined

/** The name of a repository, taken from its URL: the last part, without `.git`. Empty when there is none. */
export const repositoryName = (url: string): string => {
  const path = url.includes("://") ? (URL.parse(url)?.pathname ?? "") : url.slice(url.indexOf(":") + 1)
  return (
    path
      .replace(/\/+$/, "")
      .replace(/\.git$/, "")
      .split("/")
      .at(-1) ?? ""
  )
}
