import { Data, Duration, Effect, Stream } from "effect"
import { ChildProcess } from "effect/process"

/** Git failed; `message` is git's complaint on one line. */
export class GitError extends Data.TaggedError("GitError")<{ readonly message: string }> {}

/** Settings that prevent a fetched repository, or the environment, from running a program. */
const settings = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.logAllRefUpdates=false",
  "core.autocrlf=false",
  "advice.detachedHead=false",
  "protocol.ext.allow=never",
  "submodule.recurse=false",
  "fetch.recurseSubmodules=false",
  // no child process may live longer than the command, and replaced objects need not be kept
  "gc.autoDetach=false",
  "maintenance.autoDetach=false",
  "gc.pruneExpire=now"
].flatMap((setting) => ["-c", setting])

/** Variables that would make git use another repository than the one of the working directory. */
const local = [
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_INDEX_FILE",
  "GIT_OBJECT_DIRECTORY",
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_COMMON_DIR",
  "GIT_NAMESPACE",
  "GIT_CONFIG",
  "GIT_CONFIG_PARAMETERS",
  "GIT_SHALLOW_FILE",
  "GIT_PREFIX"
]

const environment = (allowLocal: boolean): Record<string, string | undefined> => ({
  ...Object.fromEntries(local.map((name) => [name, undefined])),
  GIT_ALLOW_PROTOCOL: allowLocal ? "https:ssh:file" : "https:ssh",
  GIT_TERMINAL_PROMPT: "0",
  SSH_ASKPASS_REQUIRE: "never",
  GIT_LFS_SKIP_SMUDGE: "1",
  LC_ALL: "C"
})

const maxOutput = 16_384

/** The last part of a stream, as text. */
const tail = <E>(stream: Stream.Stream<Uint8Array, E>) =>
  stream.pipe(
    Stream.decodeText,
    Stream.runFold(
      () => "",
      (kept, part) => (kept + part).slice(-maxOutput)
    )
  )

/** Lines that git adds for people at a terminal. */
const chatter = /^(?:hint:|warning:|Please make sure you have|and the repository exists)/

// oxlint-disable-next-line no-control-regex -- a server may send control characters meant for a terminal
const controls = /[\u0000-\u001f\u007f]/g

/** Git's complaint, on one line. */
const complaint = (stderr: string): string => {
  const lines = stderr.split(/[\r\n]+/).filter((line) => line.trim() !== "" && !chatter.test(line))
  const text = lines.slice(0, 3).join("; ").replace(controls, "")
  return text === "" ? "git gave no reason" : text.slice(0, 300)
}

export interface GitCall {
  readonly folder: string
  readonly args: ReadonlyArray<string>
  readonly allowLocal: boolean
  readonly timeout: Duration.Duration
}

/**
 * Runs the git client without a shell, a terminal or hooks, and returns its output. Interruption and the time limit end
 * git and the processes it has started.
 */
export const runGit = Effect.fn("runGit")(
  function* ({ allowLocal, args, folder }: GitCall) {
    const git = yield* ChildProcess.make("git", [...settings, ...args], {
      cwd: folder,
      env: environment(allowLocal),
      extendEnv: true,
      stdin: "ignore",
      forceKillAfter: "2 seconds"
    })
    const [stdout, stderr, code] = yield* Effect.all([tail(git.stdout), tail(git.stderr), git.exitCode], {
      concurrency: "unbounded"
    })
    if (code !== 0) return yield* new GitError({ message: complaint(stderr) })
    return stdout.trim()
  },
  Effect.scoped,
  (running, { timeout }) =>
    running.pipe(
      Effect.catchTag("PlatformError", (error) =>
        Effect.fail(
          new GitError({
            message:
              error.reason._tag === "NotFound"
                ? "the program git was not found; install it"
                : `git cannot be run (${error.reason._tag})`
          })
        )
      ),
      Effect.timeoutOrElse({
        duration: timeout,
        orElse: () =>
          Effect.fail(new GitError({ message: `no end after ${Duration.toSeconds(timeout)} seconds` }))
      })
    )
)
