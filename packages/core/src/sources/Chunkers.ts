import { Context, Effect, Layer } from "effect"
import { InvalidInput } from "../domain/errors.ts"
import type { Chunker } from "../ports/Chunker.ts"

/** Every known chunker by name, with its default options: for previews. */
export class Chunkers extends Context.Service<
  Chunkers,
  {
    readonly get: (name: string) => Effect.Effect<Chunker["Service"], InvalidInput>
  }
>()("@omnirag/core/sources/Chunkers") {
  static readonly layer = (chunkers: ReadonlyArray<Chunker["Service"]>) =>
    Layer.sync(Chunkers, () =>
      Chunkers.of({
        get: (name) => {
          const found = chunkers.find((chunker) => chunker.name === name)
          return found === undefined
            ? Effect.fail(
                new InvalidInput({
                  field: "chunker",
                  message: `no chunker is called "${name}"; known: ${chunkers.map((chunker) => chunker.name).join(", ")}`
                })
              )
            : Effect.succeed(found)
        }
      })
    )
}
