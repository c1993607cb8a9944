import { Command, Flag } from "effect/cli"

/** The root command: its flags are those of every subcommand. */
export const root = Command.make("omnirag").pipe(
  Command.withDescription("Index repositories and documents, search them, and answer with citations"),
  Command.withSharedFlags({
    config: Flag.String("config").pipe(
      Flag.withAlias("c"),
      Flag.withDescription("Configuration file; configs/default.yaml when absent"),
      Flag.withDefault("configs/default.yaml")
    )
  })
)

export const json = Flag.Boolean("json").pipe(
  Flag.withDescription("Print machine-readable output on stdout"),
  Flag.withDefault(false)
)
