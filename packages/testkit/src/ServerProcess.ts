import { OmniragProcess } from "./OmniragProcess.ts"

/** A served index; `url` is that of `/graphql`. */
export class ServerProcess extends OmniragProcess {
  url = ""

  /** Serves on a free port and waits until it has said where, and has done what it was told to do first. */
  static async start(
    args: ReadonlyArray<string>,
    environment: NodeJS.ProcessEnv = {}
  ): Promise<ServerProcess> {
    const server = new ServerProcess(["serve", ...args], { OMNIRAG_PORT: "0", ...environment })
    const [, url] = await server.said(/^GraphQL is at (\S+)$/m)
    server.url = url ?? ""
    return server
  }

  get origin(): string {
    return new URL(this.url).origin
  }
}
