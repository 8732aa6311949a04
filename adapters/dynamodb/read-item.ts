/** Reads one row by its whole key, strongly consistent; `undefined` when there is none. */
export type ReadItem = (
  table: string,
  key: Readonly<Record<string, string>>,
) => Promise<Record<string, unknown> | undefined>;
