import type { View } from "../access/Access.ts"
import { emptyCounts, type IndexProgress, type IndexRun } from "../domain/IndexRun.ts"

const withheld =
  "counts and warnings are not shown: the run looked at sources of which you do not see everything"

/** A run as a caller sees it: nothing of it is about documents that are hidden. */
export const visibleRun =
  (view: View) =>
  (run: IndexRun): IndexRun => {
    if (view.everything || (run.sources.length > 0 && run.sources.every(view.seesSource))) return run
    return {
      ...run,
      sources: run.sources.filter(view.mayKnowSource),
      counts: emptyCounts,
      failures: run.failures.filter(({ documentId }) => view.seesId(documentId)),
      skipped: run.skipped.filter(({ path, source }) => view.seesId(`${source}/${path}`)),
      warnings: [withheld]
    }
  }

/** A moment of a run as a caller sees it. */
export const visibleProgress =
  (view: View, sources: ReadonlyArray<string>) =>
  (progress: IndexProgress): IndexProgress => {
    if (view.everything || (sources.length > 0 && sources.every(view.seesSource))) return progress
    const { currentFile } = progress
    return {
      ...progress,
      counts: emptyCounts,
      filesTotal: 0,
      bytesTotal: 0,
      etaMs: null,
      currentFile: currentFile !== null && view.seesId(currentFile) ? currentFile : null
    }
  }
