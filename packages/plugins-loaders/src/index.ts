import type { DocumentLoader, Plugin, SourceProvider } from "@omnirag/core/plugin"
import { markdown } from "./loaders/markdown.ts"
import { text } from "./loaders/text.ts"
import { folder } from "./sources/folder.ts"
import { git } from "./sources/git.ts"
import { repositories } from "./sources/repositories.ts"

/** The source plugins of this package. */
export const sources: ReadonlyArray<Plugin<SourceProvider>> = [folder, repositories, git]

/** The loader plugins of this package. */
export const loaders: ReadonlyArray<Plugin<DocumentLoader>> = [markdown, text]
