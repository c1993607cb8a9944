import { printSchema } from "graphql"
import { schema } from "./schema.ts"

/** The schema as it is kept in `schema.graphql`. */
export const printedSchema = (): string =>
  `# The GraphQL schema, printed. Do not edit: change the types in src and run
#   node packages/api-graphql/scripts/printSchema.ts
# A test compares this file with the schema, so that every change of the API is seen in review.

${printSchema(schema)}
`
