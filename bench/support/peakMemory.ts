/** The most memory this process has held so far, in MB of 10⁶ bytes. */
export const peakMemory = (): number => Math.round((process.resourceUsage().maxRSS * 1024) / 1e6)
