import { complexityFromQuery } from "@pothos/plugin-complexity"
import { type DocumentNode, getOperationAST, GraphQLError, type GraphQLSchema, Kind } from "graphql"
import { limitError, maskError } from "./errors.ts"
import type { Limits } from "./limits.ts"

/** For a list whose length is limited by the arguments of a field above it: its items are counted there. */
export const countedAbove = { field: 1, multiplier: 1 }

/** Cost of a field with `count` items, at most `most`: the use case refuses more. */
export const perItem = (count: number | null | undefined, most: number) => ({
  field: 1,
  multiplier: Math.min(count ?? 1, most)
})

/** Refuses an operation that costs more than the limit, and one whose variables do not fit. */
export const checkComplexity = (
  limits: Limits,
  args: {
    readonly schema: GraphQLSchema
    readonly document: DocumentNode
    readonly operationName?: string | null | undefined
    readonly variableValues?: { readonly [name: string]: unknown } | null | undefined
    readonly contextValue?: unknown
  }
): GraphQLError | undefined => {
  const operation = getOperationAST(args.document, args.operationName)
  // execution reports that it is not clear which operation to run
  if (!operation) return undefined
  const document: DocumentNode = {
    kind: Kind.DOCUMENT,
    definitions: [
      operation,
      ...args.document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
    ]
  }
  try {
    const { complexity } = complexityFromQuery(document, {
      schema: args.schema,
      variables: { ...args.variableValues },
      ...(typeof args.contextValue === "object" && args.contextValue !== null
        ? { ctx: args.contextValue }
        : {})
    })
    return complexity > limits.complexity
      ? limitError(
          `the operation costs ${complexity}, above the limit of ${limits.complexity}; ask for fewer items or fields`
        )
      : undefined
  } catch (error) {
    if (error instanceof GraphQLError) return maskError(error, () => {})
    throw error
  }
}
