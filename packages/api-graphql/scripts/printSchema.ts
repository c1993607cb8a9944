import { writeFileSync } from "node:fs"
import { printedSchema } from "../src/printSchema.ts"

/** Writes the printed schema beside the package's manifest. */
writeFileSync(new URL("../schema.graphql", import.meta.url), printedSchema())
