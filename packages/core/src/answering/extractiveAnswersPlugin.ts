import { definePlugin } from "../plugin/definePlugin.ts"
import { ExtractiveOptions } from "./ExtractiveOptions.ts"

/**
 * Answers without a model: the places of the passages that hold most of the question, verbatim and each with its
 * citation.
 */
export const extractiveAnswers = definePlugin({
  kind: "answers",
  name: "extractive",
  description: "Quotes the best sentences of the best passages; needs no model",
  options: ExtractiveOptions,
  load: () => import("./extractiveAnswers.ts").then(({ extractiveLayer }) => extractiveLayer)
})
