import { markdown } from "./loaders/markdown.ts"
import { text } from "./loaders/text.ts"
import { folder } from "./sources/folder.ts"
import { git } from "./sources/git.ts"
import { repositories } from "./sources/repositories.ts"

/** The source plugins of this package. */
export const sources = [folder, repositories, git] as const

/** The loader plugins of this package. */
export const loaders = [markdown, text] as const
