/** Where a repository is: the transports that can neither run a command nor, unless asked for, read this machine. */
const hostPath = /^[A-Za-z0-9_][A-Za-z0-9._-]*@[A-Za-z0-9_][A-Za-z0-9._-]*:(?![/:])[^\s:][^\s]*$/
// oxlint-disable-next-line no-control-regex -- control characters are what it finds
const unprintable = /[\s\u0000-\u001f\u007f]/

/**
 * Why a URL may not be fetched from; undefined when it may. Allowed are `https://`, `ssh://`, `user@host:path` and, with
 * `allowLocal`, `file://`. A user name or password in an https URL is refused: it would end up in logs and in the index;
 * git's credential helpers are the place for it.
 */
export const urlFault = (url: string, allowLocal: boolean): string | undefined => {
  if (unprintable.test(url)) return "holds a space or a control character"
  if (hostPath.test(url)) return undefined
  const parsed = URL.parse(url)
  const allowed = `allowed are https://, ssh://, user@host:path${allowLocal ? ", file://" : ""}`
  if (parsed === null || !/^[a-z]+:\/\//.test(url)) return `is no URL that is fetched from; ${allowed}`
  if (parsed.password !== "") return "holds a password; leave it to git's credential helpers or an SSH key"
  if (parsed.search !== "" || parsed.hash !== "")
    return "holds a query or a fragment, which is no part of an address but of a login; leave it out"
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

/** Why a text is no branch, tag or commit id to fetch; undefined when it is one (git's own rules for names, mostly). */
export const refFault = (ref: string): string | undefined =>
  /^[-+/]|[~^:?*[\\]|\.\.|@\{|\/\/|\.lock$|[./]$/.test(ref) || unprintable.test(ref)
    ? "is not the name of a branch or tag, nor a commit id"
    : undefined

/** The name of a repository by its URL: the last part, without `.git`. Empty when there is none. */
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
