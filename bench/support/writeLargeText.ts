/**
 * Writes a text of about 100 MB, a made-up log, to the file that the argument names. A program of its own, so that what
 * it leaves behind is not part of the memory that is measured.
 */
import { appendFileSync } from "node:fs"

const [, , file = ""] = process.argv
const line = (n: number) => `Line ${n} of a long log tells of event ${n * 7919} in part ${n % 977}.`
let text = ""
for (let n = 0; text.length < 1_000_000; n++) text += `${line(n)}${n % 12 === 11 ? "\n\n" : "\n"}`
for (let n = 0; n < 100; n++) appendFileSync(file, text.replaceAll("event", `event${n}`))
