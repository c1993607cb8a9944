import { Schema } from "effect"

type Fields = Schema.Struct.Fields
type Named<F extends Fields> = Exclude<keyof F & string, "_tag">

/**
 * The description of a schema, as its author wrote it with `annotate`. Fails at start when there is none, so that no
 * edge (GraphQL, the configuration reference) shows a part without saying what it is.
 */
export const descriptionOf = (schema: Schema.Constraint, name = "a schema"): string => {
  const description = Schema.resolveAnnotations(schema)?.description
  if (description === undefined) throw new Error(`${name} has no description; add one with annotate()`)
  return description
}

/** The description of each field of a struct, without its tag. Fails at start when one is missing. */
export const descriptionsOf = <F extends Fields>(struct: {
  readonly fields: F
}): { readonly [name in Named<F>]: string } =>
  Object.fromEntries(
    Object.entries(struct.fields)
      .filter(([name]) => name !== "_tag")
      .map(([name, field]) => [name, descriptionOf(field, `the field "${name}"`)])
  ) as { readonly [name in Named<F>]: string }

/** The description of each value of a union of literals. Fails at start when one is missing. */
export const valueDescriptionsOf = <L extends string>(union: {
  readonly members: ReadonlyArray<Schema.Literal<L>>
}): { readonly [value in L]: string } =>
  Object.fromEntries(
    union.members.map((member) => [member.literal, descriptionOf(member, `the value "${member.literal}"`)])
  ) as { readonly [value in L]: string }
