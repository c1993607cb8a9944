import { stemmer } from "stemmer"

/** Verbs written with `-ise` or `-ize`, without that ending. */
const verbs = `
  anonym author capital categor central character container custom decentral deserial digit emphas equal
  external final formal general global harmon initial internal international item local material maxim memor
  minim mobil modern modular normal optim organ parallel parameter penal personal priorit public random real
  recogn reinitial reorgan sanit serial special stabil standard summar symbol synchron token util vector virtual
  visual
`

/** Other words of British spelling, each with its American one. */
const pairs = `
  analogue analog, analyse analyze, artefact artifact, behaviour behavior, catalogue catalog, centre center,
  colour color, defence defense, dialogue dialog, enrolment enrollment, favour favor, favourite favorite, fibre
  fiber, flavour flavor, grey gray, honour honor, judgement judgment, labour labor, licence license, litre
  liter, metre meter, neighbour neighbor, offence offense, practise practice, programme program, theatre
  theater, unauthorised unauthorized, uninitialised uninitialized, unrecognised unrecognized
`

const americanStems = new Map<string, string>()
const add = (british: string, american: string) => americanStems.set(stemmer(british), stemmer(american))
for (const verb of verbs.trim().split(/\s+/)) {
  add(`${verb}ise`, `${verb}ize`)
  // the noun has a different stem
  add(`${verb}isation`, `${verb}ization`)
}
for (const pair of pairs.trim().split(/,\s+/)) {
  const [british = "", american = ""] = pair.split(" ")
  add(british, american)
}

/** The American stem for a British one (`licens` for `licenc`); any other stem unchanged. */
export const americanStem = (stem: string): string => americanStems.get(stem) ?? stem
