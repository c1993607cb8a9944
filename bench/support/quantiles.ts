/** Median and 95th percentile of times in milliseconds, by nearest rank. */
export const quantiles = (times: ReadonlyArray<number>): { readonly p50: number; readonly p95: number } => {
  const sorted = times.toSorted((left, right) => left - right)
  const at = (share: number): number =>
    Number((sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN).toFixed(2))
  return { p50: at(0.5), p95: at(0.95) }
}
