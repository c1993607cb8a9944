/** Long technical words, each with the short form that documents and questions use just as often. */
const shortForms: Readonly<Record<string, string>> = {
  administration: "admin",
  administrator: "admin",
  application: "app",
  applications: "app",
  argument: "arg",
  arguments: "arg",
  authenticate: "auth",
  authenticated: "auth",
  authentication: "auth",
  authorisation: "auth",
  authorization: "auth",
  authorize: "auth",
  authorized: "auth",
  configuration: "config",
  configurations: "config",
  configure: "config",
  configured: "config",
  database: "db",
  databases: "db",
  dependencies: "dep",
  dependency: "dep",
  development: "dev",
  directories: "dir",
  directory: "dir",
  documentation: "doc",
  environment: "env",
  environments: "env",
  kubernetes: "k8s",
  libraries: "lib",
  library: "lib",
  parameter: "param",
  parameters: "param",
  production: "prod",
  repositories: "repo",
  repository: "repo",
  specification: "spec",
  specifications: "spec"
}
const known = new Map(Object.entries(shortForms))

/** The short form of a lower-case word (`auth` for `authentication`), so that each finds the other. */
export const shortFormOf = (word: string): string | undefined => known.get(word)
