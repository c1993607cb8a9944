/** The `Host` names of a server that listens on a loopback address. */
export const loopbackHosts = ["localhost", "127.0.0.1", "[::1]"] as const

const loopbackAddresses: ReadonlyArray<string> = ["localhost", "127.0.0.1", "::1"]

/** True for an address that only this machine can reach. */
export const isLoopback = (host: string): boolean => loopbackAddresses.includes(host)
