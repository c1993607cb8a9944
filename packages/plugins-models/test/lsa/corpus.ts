/** Texts about three things, in different words. */
export const corpus = [
  "Cats purr and chase mice. A kitten sleeps all day on the sofa.",
  "The kitten purrs while the cat sleeps; mice run over the sofa.",
  "A database stores rows in tables. An index makes queries of a table fast.",
  "Queries read rows; the database planner picks an index for each table.",
  "Bread needs flour, water, yeast and salt. Bake the dough in a hot oven.",
  "Knead the dough of flour and water, add salt, let the yeast work, then bake."
] as const
