/** Where the files of a collection are. */
export interface CollectionPlace {
  /** The folder of its generation. */
  readonly folder: string
  readonly collection: string
}
