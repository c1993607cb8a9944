import type { DatabaseSync } from "node:sqlite"

/** Marks our files, so that a database of another program is refused: "OmRg" in ASCII. */
export const applicationId = 0x4f6d5267

// every printable ASCII character is part of a term; the ascii tokenizer takes everything above ASCII as such already
const tokenCharacters = `!"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~`
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
const tokenizer = quoted(`ascii tokenchars ${quoted(tokenCharacters)}`)

/**
 * Steps of the schema; `PRAGMA user_version` counts those a file has been through. Steps are only ever added.
 *
 * A column `checksum` covers the other values of its row that no index repeats and no hash covers (see checksum.ts).
 *
 * The lexical index has its terms as external content (`chunk_terms`) and not `contentless_delete`: with the latter
 * FTS5 never takes deleted rows out of the row count behind BM25 (SQLite 3.53), so scores would drift with every
 * re-indexed file. It also lets FTS5 check the index against the terms, and build it anew from them.
 */
const steps: ReadonlyArray<string> = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL, checksum INTEGER NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE documents (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    source TEXT NOT NULL,
    path TEXT NOT NULL,
    bundle TEXT,
    media_type TEXT NOT NULL,
    title TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    metadata TEXT NOT NULL,
    revision TEXT,
    length INTEGER NOT NULL,
    chunks INTEGER NOT NULL,
    indexed_at INTEGER NOT NULL,
    file_path TEXT NOT NULL,
    file_size INTEGER NOT NULL,
    file_modified_at REAL NOT NULL,
    file_hash TEXT NOT NULL,
    checksum INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX documents_by_source ON documents (source, path);

  -- a long text in parts: SQLite copies a value several times on its way to the file
  CREATE TABLE document_parts (
    document INTEGER NOT NULL REFERENCES documents (key) ON DELETE CASCADE,
    part INTEGER NOT NULL,
    text TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (document, part)
  ) STRICT;

  -- what filters ask of metadata: a row for each value (kind s, n, b) and a row of kind l that marks a list
  CREATE TABLE metadata_values (
    document INTEGER NOT NULL REFERENCES documents (key) ON DELETE CASCADE,
    key TEXT NOT NULL,
    kind TEXT NOT NULL,
    value ANY
  ) STRICT;
  CREATE INDEX metadata_by_document ON metadata_values (document);
  CREATE INDEX metadata_by_value ON metadata_values (key, kind, value, document);

  CREATE TABLE chunks (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    document INTEGER NOT NULL REFERENCES documents (key) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    page INTEGER,
    intent TEXT,
    confidence REAL NOT NULL,
    body_offset INTEGER NOT NULL,
    start_offset INTEGER NOT NULL,
    end_offset INTEGER NOT NULL,
    start_line INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    heading_path TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    text_hash BLOB NOT NULL,
    text TEXT NOT NULL
  ) STRICT;
  CREATE INDEX chunks_by_document ON chunks (document, position);

  CREATE TABLE chunk_terms (
    key INTEGER PRIMARY KEY REFERENCES chunks (key) ON DELETE CASCADE,
    heading TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE VIRTUAL TABLE lexical USING fts5(
    heading, body, content='chunk_terms', content_rowid='key', tokenize=${tokenizer}
  );
  CREATE VIRTUAL TABLE lexical_terms USING fts5vocab(lexical, row);
  CREATE TRIGGER chunk_terms_added AFTER INSERT ON chunk_terms BEGIN
    INSERT INTO lexical (rowid, heading, body) VALUES (new.key, new.heading, new.body);
  END;
  CREATE TRIGGER chunk_terms_removed AFTER DELETE ON chunk_terms BEGIN
    INSERT INTO lexical (lexical, rowid, heading, body) VALUES ('delete', old.key, old.heading, old.body);
  END;
  CREATE TRIGGER chunk_terms_changed AFTER UPDATE ON chunk_terms BEGIN
    INSERT INTO lexical (lexical, rowid, heading, body) VALUES ('delete', old.key, old.heading, old.body);
    INSERT INTO lexical (rowid, heading, body) VALUES (new.key, new.heading, new.body);
  END;

  -- last_use orders the fingerprints by the last run that wrote with them
  CREATE TABLE fingerprints (
    key INTEGER PRIMARY KEY,
    fingerprint TEXT NOT NULL UNIQUE,
    last_use INTEGER NOT NULL
  ) STRICT;
  -- role: 0 document, 1 query. A rowid table: vectors are appended, only the small keys go into a sorted index
  CREATE TABLE vectors (
    key INTEGER PRIMARY KEY,
    fingerprint INTEGER NOT NULL REFERENCES fingerprints (key) ON DELETE CASCADE,
    role INTEGER NOT NULL,
    text_hash BLOB NOT NULL,
    checksum INTEGER NOT NULL,
    vector BLOB NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX vectors_by_text ON vectors (text_hash, fingerprint, role);

  -- one row a chunk: what is to be done follows from whether the chunk is there. AUTOINCREMENT, so that a sequence
  -- read before the row was replaced can never confirm the newer one
  CREATE TABLE outbox (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    chunk_id TEXT NOT NULL UNIQUE
  ) STRICT;

  CREATE TABLE runs (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    started_at INTEGER NOT NULL,
    run TEXT NOT NULL,
    checksum INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX runs_by_start ON runs (started_at);
  `,
  // where else a text stands
  "CREATE INDEX chunks_by_text ON chunks (text_hash, document)"
]

/** The version of the schema this program writes. */
export const schemaVersion = steps.length

/** Brings the schema from `version` up to date, each step in its own transaction. */
export const migrate = (db: DatabaseSync, version: number): void => {
  for (let next = version; next < steps.length; next++) {
    db.exec(
      `BEGIN IMMEDIATE;${steps[next] ?? ""};
       PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${next + 1}; COMMIT;`
    )
  }
}
