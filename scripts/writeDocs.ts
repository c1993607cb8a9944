import { writeFileSync } from "node:fs"
import { configurationDocs } from "./configurationDocs.ts"

writeFileSync("docs/configuration.md", configurationDocs())
