import * as NodeServices from "@effect/platform-node/NodeServices"
import { InvalidInput } from "@omnirag/core/app"
import { Effect, FileSystem, type PlatformError } from "effect"

const reasons: Readonly<Record<string, string>> = {
  NotFound: "it does not exist",
  PermissionDenied: "it may not be read",
  BadResource: "it is no file"
}

const unreadable = (field: string, file: string) =>
  Effect.mapError(({ reason }: PlatformError.PlatformError) => {
    const why = reasons[reason._tag] ?? reason._tag
    return new InvalidInput({ field, message: `${file} cannot be read: ${why}` })
  })

/** The bytes of a file that an argument names; `field` is the argument, for the error. */
export const readInput = Effect.fn("readInput")(function* (field: string, file: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.readFile(file).pipe(unreadable(field, file))
}, Effect.provide(NodeServices.layer))

/** The text of a file that an argument names; `field` is the argument, for the error. */
export const readInputText = Effect.fn("readInputText")(function* (field: string, file: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.readFileString(file).pipe(unreadable(field, file))
}, Effect.provide(NodeServices.layer))
