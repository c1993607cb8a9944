import { Schema } from "effect"

/** A command did its work, but the outcome is not the one asked for: the exit code has to say so. */
export class CommandFailed extends Schema.TaggedError<CommandFailed>()("CommandFailed", {
  code: Schema.String,
  message: Schema.String
}) {}
