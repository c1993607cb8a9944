import { createFetch } from "@whatwg-node/fetch"
import { type Context, Effect } from "effect"
import { GraphQLError, type ASTVisitor, validate, type ValidationContext } from "graphql"
import { createYoga, type Plugin, type YogaServerInstance } from "graphql-yoga"
import { checkComplexity } from "./complexity.ts"
import { type ApiServices, type GraphQLContext, makeContext } from "./context.ts"
import { apiCodes, limitError, maskError } from "./errors.ts"
import { checkVariables, makeParse } from "./limits.ts"
import type { ResolvedOptions } from "./options.ts"
import { schema } from "./schema.ts"

/** What the route passes to yoga besides the request. */
export interface ServerContext {
  /** The use cases, with the tracing span and log settings of the request. */
  readonly services: Context.Context<ApiServices>
  /** A finished context, for operations that do not come from an HTTP request. */
  readonly prepared?: GraphQLContext | undefined
}

export type Yoga = YogaServerInstance<ServerContext, GraphQLContext>

/** Refuses operations beyond the limits, in the order: parsing, variables, cost. */
const limitsPlugin = ({ limits }: ResolvedOptions): Plugin<Record<string, unknown>, ServerContext> => {
  const parse = makeParse(limits)
  return {
    onParse: ({ setParseFn }) => setParseFn(parse),
    onRequestParse: () => ({
      onRequestParseDone: ({ requestParserResult }) => {
        if (Array.isArray(requestParserResult) && requestParserResult.length > limits.batch) {
          throw limitError(`a batch holds ${requestParserResult.length} operations; at most ${limits.batch}`)
        }
      }
    }),
    onParams: ({ params, setResult }) => {
      const error = checkVariables(params.variables, limits)
      if (error !== undefined) setResult({ errors: [error] })
    },
    onExecute: ({ args, setResultAndStopExecution }) => {
      const error = checkComplexity(limits, args)
      if (error !== undefined) setResultAndStopExecution({ errors: [error] })
    },
    onSubscribe: ({ args, setResultAndStopExecution }) => {
      const error = checkComplexity(limits, args)
      if (error !== undefined) setResultAndStopExecution({ errors: [error] })
    }
  }
}

const noIntrospection = (context: ValidationContext): ASTVisitor => ({
  Field: (node) => {
    if (node.name.value !== "__schema" && node.name.value !== "__type") return
    context.reportError(
      new GraphQLError("this server does not answer questions about its schema", {
        nodes: [node],
        extensions: { code: apiCodes.introspection }
      })
    )
  }
})

/** Hides the schema: no introspection, no "did you mean". */
const hiddenSchemaPlugin: Plugin<Record<string, unknown>, ServerContext> = {
  onValidate: ({ addValidationRule, setValidationFn }) => {
    addValidationRule(noIntrospection)
    setValidationFn((validated, document, rules, options) =>
      validate(validated, document, rules, { ...options, hideSuggestions: true })
    )
  }
}

/**
 * The GraphQL engine: schema, limits and error masking for every transport. HTTP and SSE are served by its `fetch`;
 * the WebSocket runs operations through `getEnveloped`.
 */
export const makeYoga = (services: Context.Context<ApiServices>, options: ResolvedOptions): Yoga => {
  const onDefect = (defect: unknown) => {
    Effect.runForkWith(services)(Effect.logError("GraphQL: unexpected failure", defect))
  }
  return createYoga<ServerContext, GraphQLContext>({
    schema,
    graphqlEndpoint: "/graphql",
    batching: { limit: options.limits.batch },
    maxRequestBodySize: options.limits.bodyBytes,
    multipart: false,
    logging: false,
    landingPage: false,
    graphiql: false,
    cors:
      options.allowedOrigins.length === 0
        ? false
        : { origin: [...options.allowedOrigins], methods: ["GET", "POST"], credentials: false },
    maskedErrors: { maskError: (error) => maskError(error, onDefect) },
    context: ({ services, prepared, request }) =>
      prepared ?? makeContext(services, { signal: request.signal, stallAfterMs: options.stallAfterMs }),
    // with yoga's own fetch classes, Effect's server notices 12 s too late that a client has left
    fetchAPI: createFetch({ skipPonyfill: true }),
    plugins: [limitsPlugin(options), ...(options.introspection ? [] : [hiddenSchemaPlugin])]
  })
}
