/**
 * English words that say how a sentence is built and not what it is about: articles, pronouns, prepositions,
 * conjunctions, auxiliary verbs and question words. Lower case; contractions without their apostrophe.
 */
export const stopWords: ReadonlySet<string> = new Set(
  `a about above after again against all also although am an and any are arent as at be became because been before
  being below between both but by came can cannot cant could couldnt did didnt do does doesnt doing dont down due
  during each either else etc ever every few for from further had hadnt has hasnt have havent having he her here hers
  herself hes him himself his how however i id if ill im in into is isnt it its itself ive just lets may me might
  mine more most must my myself neither no nor not of off on once only onto or other our ours ourselves out over own
  per please rather same shall she should shouldnt since so some such than that thats the their theirs them
  themselves then there theres therefore these they theyre this those though through thus to too toward towards
  under until unto up upon us very via was wasnt we were werent what whatever whats when whenever where whereas
  wherever whether which whichever while who whoever whom whose why will with within without wont would wouldnt yet
  you youll your youre yours yourself yourselves`.split(/\s+/)
)
