import { Effect, Exit, Queue, Scope } from "effect"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import {
  chatEnd,
  chatLine,
  describeModels,
  type OllamaDouble,
  ollamaDoubleOn,
  type Received,
  replyChunks
} from "./OllamaDouble.ts"
import { OmniragProcess } from "./OmniragProcess.ts"
import { ServerProcess } from "./ServerProcess.ts"
import { Corpus } from "./TestSystem.ts"

const shipped = resolve(import.meta.dirname, "../../../configs/ollama.yaml")

export interface ServeOptions {
  /** Settings by environment, as docs/ollama.md lists them. */
  readonly environment?: NodeJS.ProcessEnv
  /** Changes the text of `configs/ollama.yaml`. */
  readonly edit?: (yaml: string) => string
  /** Brings the index up to date first; true when absent. */
  readonly index?: boolean
}

/** A corpus and a double of Ollama, and OmniRAG on both as `configs/ollama.yaml` has it. `stop` ends all of it. */
export class OllamaWorld {
  readonly folder = mkdtempSync(join(tmpdir(), "omnirag-ollama-"))
  readonly corpus = new Corpus(join(this.folder, "corpus"))
  readonly #servers: Array<ServerProcess> = []
  #scope: Scope.Closeable | undefined
  #double: OllamaDouble | undefined
  #port = 0
  #configs = 0

  get double(): OllamaDouble {
    if (this.#double === undefined) throw new Error("the double is down")
    return this.#double
  }

  /** Starts the double, with the models `m` and `nomic-embed-text`; the next time on the same port. */
  async up(): Promise<void> {
    const scope = Scope.makeUnsafe()
    const double = await Effect.runPromise(Scope.provide(ollamaDoubleOn(this.#port), scope))
    describeModels(double, 8192)
    this.#scope = scope
    this.#double = double
    this.#port = Number(new URL(double.url).port)
  }

  /** Stops the double: connections are refused from now on. */
  async down(): Promise<void> {
    const scope = this.#scope
    this.#scope = this.#double = undefined
    if (scope !== undefined) await Effect.runPromise(Scope.close(scope, Exit.void))
  }

  /** The arguments and the environment of a command on this world. */
  command({ edit, environment }: ServeOptions = {}): {
    readonly args: ReadonlyArray<string>
    readonly environment: NodeJS.ProcessEnv
  } {
    let config = shipped
    if (edit !== undefined) {
      config = join(this.folder, `omnirag-${++this.#configs}.yaml`)
      writeFileSync(config, edit(readFileSync(shipped, "utf8")))
    }
    return {
      args: ["--config", config],
      environment: {
        OMNIRAG_DATA: join(this.folder, "data"),
        OMNIRAG_SOURCE: this.corpus.root,
        OMNIRAG_SOURCE_NAME: "docs",
        OLLAMA_URL: `http://127.0.0.1:${this.#port}`,
        OLLAMA_MODEL: "m",
        ...environment
      }
    }
  }

  async serve(options: ServeOptions = {}): Promise<ServerProcess> {
    const { args, environment } = this.command(options)
    const server = await ServerProcess.start(
      [...(options.index === false ? [] : ["--index"]), ...args],
      environment
    )
    this.#servers.push(server)
    return server
  }

  /** Runs a command to its end. */
  async run(command: ReadonlyArray<string>, options: ServeOptions = {}) {
    const { args, environment } = this.command(options)
    const process = new OmniragProcess([...command, ...args], environment)
    const { code } = await process.ended
    return { code, stdout: process.stdout, stderr: process.stderr }
  }

  /** What the double received at a path since the last look. */
  received(path: string): ReadonlyArray<Received["body"]> {
    return Effect.runSync(Queue.clear(this.double.received))
      .filter((request) => request.path === path)
      .map(({ body }) => body)
  }

  /** Waits for a request whose client leaves before its answer is complete; its path. */
  abandoned(): Promise<string> {
    return Effect.runPromise(Queue.take(this.double.abandoned))
  }

  /** The chat model says these pieces from now on, one line each. */
  says(pieces: ReadonlyArray<string>): void {
    this.double.on("/api/chat", replyChunks([...pieces.map(chatLine), chatEnd()]))
  }

  /** The chat model says these pieces, then nothing more, and leaves the connection open. */
  stallsAfter(pieces: ReadonlyArray<string>): void {
    this.double.on("/api/chat", (_, response) => {
      response.writeHead(200, { "content-type": "application/x-ndjson" })
      response.write(pieces.map(chatLine).join(""))
    })
  }

  async stop(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.stop("SIGKILL")))
    await this.down()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** The text of the message of a role in a chat request. */
export const messageOf = (chat: Received["body"] | undefined, role: "system" | "user"): string => {
  const messages = (chat?.["messages"] ?? []) as ReadonlyArray<{
    readonly role: string
    readonly content: string
  }>
  return messages.find((message) => message.role === role)?.content ?? ""
}
