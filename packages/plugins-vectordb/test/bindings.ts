import { type BindingChoice, loadBinding } from "../src/local/binding/loadBinding.ts"

const missing = (binding: BindingChoice): string | undefined => {
  try {
    loadBinding(binding)
    return undefined
  } catch {
    return `skipped: the binding ${binding} is not installed here`
  }
}

/**
 * The bindings, each with the reason why its tests are skipped here. OMNIRAG_REQUIRE_BINDINGS (comma separated) names
 * those that must be there: the tests then fail instead.
 */
const required = (process.env["OMNIRAG_REQUIRE_BINDINGS"] ?? "").split(",")
export const bindings = (["exact", "addon", "faiss-node"] as const).map((binding) => ({
  binding,
  skip: required.includes(binding) ? undefined : missing(binding)
}))
