import { loadAddonBinding } from "./addonBinding.ts"
import { exactBinding } from "./exactBinding.ts"
import type { FaissBinding } from "./FaissBinding.ts"
import { loadFaissNodeBinding } from "./faissNodeBinding.ts"

/** `auto` takes the first that loads: addon, faiss-node, exact. */
export const bindingChoices = ["auto", "addon", "faiss-node", "exact"] as const
export type BindingChoice = (typeof bindingChoices)[number]

/** No native binding loads; the message says what to install. */
export class BindingMissing extends Error {
  override readonly name = "BindingMissing"
}

export interface LoadedBinding {
  readonly binding: FaissBinding
  /** Why a better binding was not taken; for the log. */
  readonly warning: string | undefined
}

export const installAdvice =
  "to install the native binding on Debian or Ubuntu: `apt-get install g++ libfaiss-dev libopenblas-dev`, then `npm install`; " +
  "or configure `vectorStore: {use: exact}`, which needs nothing"

const reason = (cause: unknown): string => {
  const message = cause instanceof Error ? cause.message : String(cause)
  return (message.split("\n")[0] ?? message).replaceAll(/\S*\/(?=[^/\s]+)/g, "")
}

const loaders = { addon: loadAddonBinding, "faiss-node": loadFaissNodeBinding } as const

/** Loads the chosen binding into this thread. Throws `BindingMissing`. */
export const loadBinding = (choice: BindingChoice): LoadedBinding => {
  if (choice === "exact") return { binding: exactBinding, warning: undefined }
  const names = choice === "auto" ? (["addon", "faiss-node"] as const) : [choice]
  const faults: Array<string> = []
  for (const name of names) {
    try {
      return { binding: loaders[name](), warning: undefined }
    } catch (cause) {
      faults.push(`${name} does not load (${reason(cause)})`)
    }
  }
  const fault = faults.join("; ")
  if (choice !== "auto") throw new BindingMissing(`${fault}; ${installAdvice}`)
  return { binding: exactBinding, warning: `${fault}: searching in plain TypeScript; ${installAdvice}` }
}
