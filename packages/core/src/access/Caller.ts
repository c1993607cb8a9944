import { Context } from "effect"

/** Who asks: a person, a program, or the operator at this machine. */
export interface Caller {
  /** Names the caller in logs and messages. */
  readonly id: string
  /** What is known of the caller (groups, roles, e-mail address), by name, for policies to decide on. */
  readonly claims: Readonly<Record<string, unknown>>
}

/** The operator at this machine: whoever runs the command line, or reaches a server that nobody has to sign in to. */
export const localOperator: Caller = { id: "local operator", claims: {} }

/**
 * The caller of the use case under way. Every use case reads it; whoever lets others in sets it once, where a request
 * enters, and all that the request does, streams and background runs included, has it.
 */
export class CurrentCaller extends Context.Reference<Caller>("@omnirag/core/access/CurrentCaller", {
  defaultValue: () => localOperator
}) {}
