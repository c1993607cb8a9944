import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ServerProcess } from "./ServerProcess.ts"

/** The text of `walrus.md`. */
export const walrus =
  "---\nlang: en\n---\n# Walruses\n\nA walrus sleeps on the ice.\n\n## Food\n\nWalruses eat 6000 clams in one meal.\n"

/** What `walrus.md` answers. */
export const question = "How many clams do walruses eat?"

/** Three documents about animals, their configuration, and the servers started with it. */
export interface Zoo {
  readonly folder: string
  readonly config: string
  /** Where the index goes; given to the server as OMNIRAG_DATA. */
  readonly data: string
  readonly serve: (args: ReadonlyArray<string>, environment?: NodeJS.ProcessEnv) => Promise<ServerProcess>
  /** Ends the servers and removes the folder. */
  readonly close: () => Promise<void>
}

/** Writes the documents and the configuration into a folder of their own; call `close` at the end. */
export const makeZoo = (): Zoo => {
  const folder = mkdtempSync(join(tmpdir(), "omnirag-server-"))
  const corpus = join(folder, "corpus")
  mkdirSync(join(corpus, "birds"), { recursive: true })
  writeFileSync(join(corpus, "walrus.md"), walrus)
  writeFileSync(
    join(corpus, "birds/penguin.md"),
    "# Penguins\n\nA penguin lays one egg and keeps it warm on its feet.\n"
  )
  writeFileSync(
    join(corpus, "birds/albatross.txt"),
    "An albatross glides for hours without a beat of its wings.\n"
  )

  const config = join(folder, "zoo.yaml")
  writeFileSync(
    config,
    `data: \${OMNIRAG_DATA:-${join(folder, "unused")}}
server: { host: "\${OMNIRAG_HOST:-127.0.0.1}", port: "\${OMNIRAG_PORT:-8082}" }
sources: [{ use: folder, options: { name: zoo, path: ${corpus} } }]
`
  )

  const started: Array<ServerProcess> = []
  return {
    folder,
    config,
    data: join(folder, "data"),
    serve: async (args, environment = {}) => {
      const server = await ServerProcess.start(args, environment)
      started.push(server)
      return server
    },
    close: async () => {
      await Promise.all(started.map((server) => server.stop("SIGKILL")))
      rmSync(folder, { recursive: true })
    }
  }
}
