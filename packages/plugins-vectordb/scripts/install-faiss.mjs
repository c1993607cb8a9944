/**
 * Gives the `faiss` vector store its native part; runs after `npm install` on any Node ≥ 20.
 *
 * With a C++ compiler and libfaiss it compiles native/ (seconds, and only when the sources changed). Without them it
 * lets `faiss-node` fetch its prebuilt binary. When neither works the plain TypeScript scan remains. It says what it
 * did and never fails the install.
 *
 * OMNIRAG_FAISS=addon | faiss-node | skip limits what it tries. `faiss-node` from its source, for the tests of that
 * binding: OMNIRAG_FAISS_NODE_SOURCE=1.
 */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { createRequire } from "node:module"
import { arch, platform } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const here = dirname(dirname(fileURLToPath(import.meta.url)))
const native = join(here, "native")
const build = join(here, "build")
const require = createRequire(join(here, "package.json"))
const compiler = process.env.CXX ?? "g++"
const wanted = process.env.OMNIRAG_FAISS ?? "auto"

const say = (text) => console.log(`faiss: ${text}`)

/** Instruction sets with a scan kernel of their own: name, floats per register, flags. */
const kernels =
  arch() === "x64"
    ? [
        ["baseline", 4, []],
        ["avx2", 8, ["-mavx2", "-mfma"]],
        ["avx512", 16, ["-mavx512f", "-mprefer-vector-width=512"]]
      ]
    : [["baseline", 4, []]]
const flags = [
  "-std=gnu++17",
  "-O3",
  "-fPIC",
  "-fvisibility=hidden",
  "-ffp-contract=fast",
  "-DNAPI_VERSION=8"
]
/** FAISS needs a BLAS; any will do, the flat index never calls it. */
const blas = [["-lopenblas"], ["-llapack", "-lblas"]]

const run = (command, args, options = {}) => {
  const result = spawnSync(command, args, { encoding: "utf8", timeout: 300_000, ...options })
  const output = `${result.stdout ?? ""}${result.stderr ?? ""}${result.error?.message ?? ""}`
  return { ok: result.status === 0, output }
}

const headers = () => join(dirname(require.resolve("node-api-headers/package.json")), "include")

const fingerprint = () => {
  const hash = createHash("sha256").update(JSON.stringify([kernels, flags, platform(), arch()]))
  for (const file of readdirSync(native).toSorted())
    hash.update(file).update(readFileSync(join(native, file)))
  return hash.digest("hex")
}

/** Loads a binary in a process of its own: a broken one must not take the install with it. */
const loads = (file) => run(process.execPath, ["-e", `require(${JSON.stringify(file)})`]).ok

const link = (folder, objects, sources, extra, target) => {
  let output = ""
  for (const libraries of blas) {
    const args = [...flags, "-fopenmp", ...extra, ...sources, ...objects, "-shared", "-Wl,--gc-sections"]
    const linked = run(compiler, [...args, "-lfaiss", ...libraries, "-o", target], { cwd: folder })
    if (linked.ok && loads(target)) return undefined
    output = linked.output
  }
  return output
}

/** Compiles the addon; gives the reason when it cannot. */
const buildAddon = () => {
  const target = join(build, "faiss.node")
  const stamp = join(build, "faiss.json")
  const hash = fingerprint()
  if (existsSync(target) && existsSync(stamp) && JSON.parse(readFileSync(stamp, "utf8")).sources === hash) {
    say("the addon is built already")
    return undefined
  }
  if (!run(compiler, ["--version"]).ok) return `there is no C++ compiler (${compiler})`
  const probe = run(compiler, ["-E", "-x", "c++", "-"], { input: "#include <faiss/IndexFlat.h>\n" })
  if (!probe.ok) return "libfaiss is not installed"
  mkdirSync(build, { recursive: true })
  const folder = mkdtempSync(join(build, "tmp-"))
  const started = Date.now()
  try {
    const objects = []
    for (const [name, lanes, extra] of kernels) {
      const object = join(folder, `${name}.o`)
      const defines = [`-DKERNEL=${name}`, `-DLANES=${lanes}`]
      const compiled = run(compiler, [
        ...flags,
        ...extra,
        ...defines,
        "-c",
        join(native, "scan_kernel.cc"),
        "-o",
        object
      ])
      if (!compiled.ok) return `scan_kernel.cc does not compile for ${name}:\n${compiled.output}`
      objects.push(object)
    }
    const sources = readdirSync(native)
      .filter((file) => file.endsWith(".cc") && file !== "scan_kernel.cc")
      .map((file) => join(native, file))
    const made = join(folder, "faiss.node")
    const fault = link(folder, objects, sources, [`-I${headers()}`], made)
    if (fault !== undefined) return `the addon does not link:\n${fault}`
    renameSync(made, target)
    writeFileSync(stamp, `${JSON.stringify({ sources: hash })}\n`)
    say(`built the addon over libfaiss in ${((Date.now() - started) / 1000).toFixed(1)} s`)
    return undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const faissNodeRoot = () => {
  try {
    return dirname(require.resolve("faiss-node/package.json"))
  } catch {
    return undefined
  }
}

/** Compiles `faiss-node` from the source in its package, with the libfaiss of the system. */
const buildFaissNode = (root) => {
  const source = readFileSync(join(root, "src/faiss.cc"), "utf8")
  const folder = mkdtempSync(join(root, "tmp-"))
  try {
    // libfaiss before 1.7.4 has idx_t inside Index
    const patched = source.replace(
      "using idx_t = faiss::idx_t;",
      "using idx_t = decltype(faiss::Index::ntotal);"
    )
    writeFileSync(join(folder, "faiss.cc"), patched)
    const api = dirname(createRequire(join(root, "package.json")).resolve("node-addon-api/package.json"))
    const made = join(folder, "faiss-node.node")
    const extra = [`-I${headers()}`, `-I${api}`, "-DNAPI_CPP_EXCEPTIONS", "-w"]
    const fault = link(folder, [], [join(folder, "faiss.cc")], extra, made)
    if (fault !== undefined) return `its source does not compile:\n${fault}`
    mkdirSync(join(root, "build/Release"), { recursive: true })
    renameSync(made, join(root, "build/Release/faiss-node.node"))
    return undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Lets `faiss-node` fetch its binary; gives the reason when it cannot. */
const installFaissNode = () => {
  const root = faissNodeRoot()
  if (root === undefined) return "faiss-node is not installed"
  const binary = join(root, "build/Release/faiss-node.node")
  if (existsSync(binary)) {
    say("faiss-node is there already")
    return undefined
  }
  if (process.env.OMNIRAG_FAISS_NODE_SOURCE === "1") {
    const fault = buildFaissNode(root)
    if (fault === undefined) say("built faiss-node from its source")
    return fault
  }
  const installer = createRequire(join(root, "package.json")).resolve("prebuild-install/bin.js")
  const fetched = run(process.execPath, [installer, "--runtime", "napi"], { cwd: root, timeout: 60_000 })
  if (!fetched.ok) return "its prebuilt binary cannot be fetched"
  if (!loads(binary)) {
    rmSync(binary, { force: true })
    return "its prebuilt binary does not load here"
  }
  say("fetched the prebuilt binary of faiss-node")
  return undefined
}

const attempt = (name, action) => {
  try {
    return action()
  } catch (error) {
    return `${name} failed: ${error instanceof Error ? error.message : String(error)}`
  }
}

if (wanted === "skip") say("skipped")
else {
  const addon = wanted === "faiss-node" ? "not asked for" : attempt("the build", buildAddon)
  // with a compiler and libfaiss at hand, a failure is news even when faiss-node stands in
  if (addon?.includes("\n")) say(addon)
  const fetched =
    addon === undefined || wanted === "addon" ? undefined : attempt("faiss-node", installFaissNode)
  if (addon !== undefined && (fetched !== undefined || wanted === "addon")) {
    say(`no native binding: ${addon}${fetched === undefined ? "" : `; faiss-node: ${fetched}`}.`)
    say("searching in plain TypeScript. For speed: scripts/install-system-deps.sh, then npm install")
  }
}
