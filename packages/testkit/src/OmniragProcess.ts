import { type ChildProcess, spawn } from "node:child_process"
import { createRequire } from "node:module"

const launcher = createRequire(import.meta.url).resolve("@omnirag/server/bin")

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** The command line in a process of its own, with what it says on stderr as signals to wait for. */
export class OmniragProcess {
  readonly ended: Promise<Ended>
  stdout = ""
  stderr = ""
  readonly #child: ChildProcess
  readonly #waiting = new Set<() => void>()
  #hasEnded = false

  constructor(args: ReadonlyArray<string>, environment: NodeJS.ProcessEnv = {}, cwd = process.cwd()) {
    // a test runner's NODE_ENV is no user's
    const { NODE_ENV: _, ...inherited } = process.env
    this.#child = spawn(process.execPath, [launcher, ...args], { cwd, env: { ...inherited, ...environment } })
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.stdout += text
    })
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text
      this.#wake()
    })
    this.ended = new Promise((settle) => {
      this.#child.on("close", (code, signal) => {
        this.#hasEnded = true
        this.#wake()
        settle({ code, signal })
      })
    })
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** Waits until stderr matches; fails when the process ends before that. */
  said(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((settle, refuse) => {
      const look = (): void => {
        const match = pattern.exec(this.stderr)
        if (match === null && !this.#hasEnded) return
        this.#waiting.delete(look)
        if (match === null) refuse(new Error(`the process ended without saying ${pattern}:\n${this.stderr}`))
        else settle(match)
      }
      this.#waiting.add(look)
      look()
    })
  }

  stop(signal: NodeJS.Signals): Promise<Ended> {
    this.#child.kill(signal)
    return this.ended
  }

  #wake(): void {
    for (const look of this.#waiting) look()
  }
}
