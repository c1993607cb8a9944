import { Effect } from "effect"
import { Command, Flag } from "effect/cli"

export const serveCommand = Command.make(
  "serve",
  {
    index: Flag.Boolean("index").pipe(
      Flag.withDescription("Bring the index up to date first"),
      Flag.withDefault(false)
    ),
    watch: Flag.Boolean("watch").pipe(
      Flag.withDescription("Index changed files by themselves, once they have been quiet for a moment"),
      Flag.withDefault(false)
    ),
    ask: Flag.String("ask").pipe(
      Flag.withDescription("Answer this question once the server listens, as a demonstration"),
      Flag.optional
    )
  },
  // GraphQL and all that serves it is imported by this command alone
  (flags) =>
    Effect.flatMap(
      Effect.promise(() => import("./serve.ts")),
      ({ serve }) => serve(flags)
    )
).pipe(Command.withDescription("Serve the GraphQL API"))
